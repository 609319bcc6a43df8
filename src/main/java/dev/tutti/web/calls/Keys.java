package dev.tutti.web.calls;

import dev.tutti.web.problem.Problem;
import dev.tutti.web.problem.ProblemFound;
import dev.tutti.web.problem.ProblemKind;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The form of an Idempotency-Key: 1 to 128 visible ASCII characters. */
public final class Keys {

    public static final String HEADER = "Idempotency-Key";

    private static final Pattern FORM = Pattern.compile("[\\x21-\\x7e]{1,128}");

    private Keys() {}

    /** The key, checked; null without one. */
    public static @Nullable String checked(@Nullable String key) {
        if (key != null && !FORM.matcher(key).matches()) {
            throw new ProblemFound(
                    Problem.violation(ProblemKind.VALIDATION, HEADER, "give 1 to 128 visible ASCII characters"));
        }
        return key;
    }
}
