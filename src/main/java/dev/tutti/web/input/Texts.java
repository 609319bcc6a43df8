package dev.tutti.web.input;

/** Which text can be kept at all. */
public final class Texts {

    private Texts() {}

    /** Whether {@code text} survives UTF-8 and PostgreSQL: no zero character, no lone surrogate. */
    public static boolean canBeStored(String text) {
        return text.codePoints()
                .noneMatch(c -> c == 0 || (c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE));
    }
}
