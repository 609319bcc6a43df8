package dev.tutti.web.calls;

import java.util.Optional;
import java.util.regex.Pattern;

/** Ids that are numbers behind the door and opaque text before it. */
public final class Ids {

    private static final Pattern NUMBER = Pattern.compile("0|[1-9]\\d{0,17}");

    private Ids() {}

    /** The number; empty for text that is no id of ours, which then names nothing. */
    public static Optional<Long> number(String text) {
        return NUMBER.matcher(text).matches() ? Optional.of(Long.valueOf(text)) : Optional.empty();
    }
}
