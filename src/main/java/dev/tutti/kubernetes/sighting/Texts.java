package dev.tutti.kubernetes.sighting;

import org.jspecify.annotations.Nullable;

/** Makes text of others fit to be stored and shown. */
public final class Texts {

    private static final int REPLACED = 0xFFFD;
    private static final char MARK = '\u2026';

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

    /**
     * What identifies something, such as a name: unchanged where it is fit and short enough, else made fit and marked so that
     * it equals nothing that is fit, and no other that is not.
     */
    static String identity(@Nullable String text, int length) {
        if (text == null) {
            return "";
        }
        StringBuilder fit = new StringBuilder();
        text.codePoints()
                .limit(length)
                .map(point -> isUnfit(point) ? REPLACED : point)
                .forEach(fit::appendCodePoint);
        return text.contentEquals(fit)
                ? text
                : fit.append(MARK).append(Integer.toHexString(text.hashCode())).toString();
    }

    private static boolean isUnfit(int point) {
        return Character.isISOControl(point) || (point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE);
    }
}
