package dev.tutti.kubernetes.sighting;

import org.jspecify.annotations.Nullable;

/** Makes text of others fit to be stored and shown. */
public final class Texts {

    private Texts() {}

    /** The text without control characters and lone surrogates, at most {@code length} code points; null is empty. */
    public static String bounded(@Nullable String text, int length) {
        if (text == null) {
            return "";
        }
        StringBuilder fit = new StringBuilder();
        text.codePoints()
                .limit(length)
                .map(point -> isUnfit(point) ? ' ' : point)
                .forEach(fit::appendCodePoint);
        return fit.toString().strip();
    }

    private static boolean isUnfit(int point) {
        return Character.isISOControl(point) || (point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE);
    }
}
