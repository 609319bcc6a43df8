package dev.tutti.model;

import java.util.regex.Pattern;

/** The form that Kubernetes gives to labels of objects. */
public final class Labels {

    private static final int PREFIX_LENGTH = 253;
    private static final int SHOWN = 64;
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?");
    private static final Pattern PREFIX =
            Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");

    private Labels() {}

    /** Whether it is a name of 1 to 63 characters, maybe after a DNS name and a slash. */
    public static boolean isKey(String key) {
        int slash = key.indexOf('/');
        return NAME.matcher(key.substring(slash + 1)).matches()
                && (slash < 0
                        || slash <= PREFIX_LENGTH
                                && PREFIX.matcher(key.substring(0, slash)).matches());
    }

    /** Whether it is empty or a name of at most 63 characters. */
    public static boolean isValue(String value) {
        return value.isEmpty() || NAME.matcher(value).matches();
    }

    /** What is wrong with a key and what to give instead, for a violation. */
    public static String notAKey(String key) {
        return "\"" + shown(key) + "\" is no label key; give up to 63 letters, digits, -, _ and ."
                + ", maybe after a DNS name and a slash";
    }

    /** What is wrong with a value and what to give instead, for a violation. */
    public static String notAValue(String value) {
        return "is \"" + shown(value) + "\"; give a label value: up to 63 letters, digits, -, _ and .";
    }

    /** As much of a text as a message shows: 64 code points, then an ellipsis. */
    public static String shown(String text) {
        return text.codePointCount(0, text.length()) <= SHOWN
                ? text
                : text.substring(0, text.offsetByCodePoints(0, SHOWN)) + "…";
    }
}
