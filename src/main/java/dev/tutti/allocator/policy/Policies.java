package dev.tutti.allocator.policy;

import java.util.List;
import java.util.Optional;

/** The policies there are. */
public final class Policies {

    private static final List<Policy> ALL =
            List.of(new ShadowPrice(), new BestFit(), new Fragmentation(), new Spread());

    private Policies() {}

    /** The one that is used where none is named. */
    public static Policy standard() {
        return ALL.get(0);
    }

    public static Optional<Policy> find(String name) {
        return ALL.stream().filter(policy -> policy.name().equals(name)).findFirst();
    }

    /** Their names, the standard one first. */
    public static List<String> names() {
        return ALL.stream().map(Policy::name).toList();
    }
}
