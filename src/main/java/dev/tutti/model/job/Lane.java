package dev.tutti.model.job;

import java.util.Locale;

/** The three built-in priority classes, strongest first: a job of an earlier lane is considered earlier. */
public enum Lane {
    /** Urgent. */
    GREEN,
    /** Normal. */
    YELLOW,
    /** Off-peak: idle capacity only. */
    RED;

    /** The lane's name on the wire and in SQL, in lower case. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
