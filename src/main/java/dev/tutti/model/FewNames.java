package dev.tutti.model;

import java.util.List;

/** Names in a sentence for a person: a few of them, and how many more there are. */
public final class FewNames {

    private static final int MOST = 10;

    private FewNames() {}

    /** The first ten of the names, and the number of the others. */
    public static String of(List<String> names) {
        int more = names.size() - MOST;
        String few = String.join(", ", names.subList(0, Math.min(names.size(), MOST)));
        return more > 0 ? few + " and " + more + " more" : few;
    }

    /** The same behind an introduction; nothing at all when there are no names. */
    public static String of(String introduction, List<String> names) {
        return names.isEmpty() ? "" : introduction + of(names);
    }
}
