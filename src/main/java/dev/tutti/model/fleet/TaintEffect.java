package dev.tutti.model.fleet;

import java.util.Arrays;
import java.util.Optional;

/** What a taint does to pods that do not tolerate it. */
public enum TaintEffect {
    /** Keeps new pods out. */
    NO_SCHEDULE("NoSchedule"),
    /** Keeps new pods out and ends those that run. */
    NO_EXECUTE("NoExecute"),
    /** A wish of the node's owner; keeps nobody out. */
    PREFER_NO_SCHEDULE("PreferNoSchedule");

    private final String word;

    TaintEffect(String word) {
        this.word = word;
    }

    /** The effect as Kubernetes writes it. */
    public String word() {
        return word;
    }

    /** The effect that Kubernetes writes so; empty when there is none. */
    public static Optional<TaintEffect> of(String word) {
        return Arrays.stream(values())
                .filter(effect -> effect.word.equals(word))
                .findFirst();
    }
}
