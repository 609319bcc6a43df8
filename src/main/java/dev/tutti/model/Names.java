package dev.tutti.model;

import java.util.regex.Pattern;

/** The rules for text that callers choose. Free text stays byte for byte; keys are DNS labels. */
public final class Names {

    private static final Pattern DNS_LABEL = Pattern.compile("[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?");

    private Names() {}

    /** Whether {@code text} is a DNS label (RFC 1123): 1 to 63 of a–z, 0–9 and inner dashes. */
    public static boolean isDnsLabel(String text) {
        return DNS_LABEL.matcher(text).matches();
    }

    /** Whether {@code text} is of digits alone, as ids are. */
    public static boolean isNumber(String text) {
        return !text.isEmpty() && text.chars().allMatch(c -> c >= '0' && c <= '9');
    }

    /** Whether {@code text} is 1 to {@code max} code points without control characters or lone surrogates. */
    public static boolean isFreeText(String text, int max) {
        int length = text.codePointCount(0, text.length());
        return length >= 1 && length <= max && text.codePoints().noneMatch(Names::isUnfit);
    }

    /** What is wrong with a text that is none of these, and what to give instead, for a violation. */
    public static String notFreeText(String text, int max) {
        return "is \"" + Labels.shown(text) + "\"; give 1 to " + max + " characters, none of them a control character";
    }

    private static boolean isUnfit(int codePoint) {
        return Character.isISOControl(codePoint)
                || (codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE);
    }
}
