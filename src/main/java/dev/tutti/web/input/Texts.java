package dev.tutti.web.input;

import tools.jackson.databind.JsonNode;

/** Which text can be kept at all, and how much of it is shown. */
public final class Texts {

    private static final int SHOWN = 40;

    private Texts() {}

    /** Whether {@code text} survives UTF-8 and PostgreSQL: no zero character, no lone surrogate. */
    public static boolean canBeStored(String text) {
        return text.codePoints()
                .noneMatch(c -> c == 0 || (c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE));
    }

    /** What a message shows of a value; of one with parts only that. */
    public static String shown(JsonNode value) {
        return value.isArray() ? "a list" : value.isObject() ? "an object" : clip(value.toString());
    }

    /** As much of {@code text} as a message shows. */
    public static String clip(String text) {
        return text.codePointCount(0, text.length()) <= SHOWN
                ? text
                : text.substring(0, text.offsetByCodePoints(0, SHOWN)) + "…";
    }
}
