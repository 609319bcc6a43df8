package dev.tutti.web.calls;

import dev.tutti.web.input.Texts;
import dev.tutti.web.problem.Problem;
import dev.tutti.web.problem.ProblemFound;
import dev.tutti.web.problem.ProblemKind;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The form of an Idempotency-Key: 1 to 128 visible ASCII characters. */
public final class Keys {

    public static final String HEADER = "Idempotency-Key";

    private static final int BUSY_SECONDS = 2;
    private static final Pattern FORM = Pattern.compile("[\\x21-\\x7e]{1,128}");

    private Keys() {}

    /** The key stands for another request. */
    public static ProblemFound reused() {
        return new ProblemFound(ProblemKind.KEY_REUSED, "this key was used with another request");
    }

    /** The first call with the key has no answer yet. */
    public static ProblemFound busy() {
        return new ProblemFound(
                Problem.retry(ProblemKind.KEY_BUSY, "the first call with this key is still running", BUSY_SECONDS));
    }

    /** The key, checked; null without one. */
    public static @Nullable String checked(@Nullable String key) {
        if (key != null && !FORM.matcher(key).matches()) {
            throw new ProblemFound(Problem.violation(
                    ProblemKind.VALIDATION,
                    HEADER,
                    "is \"" + Texts.clip(key) + "\"; give 1 to 128 visible ASCII characters"));
        }
        return key;
    }
}
