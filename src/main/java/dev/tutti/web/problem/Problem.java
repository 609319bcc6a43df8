package dev.tutti.web.problem;

import dev.tutti.model.Violation;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is wrong with one request, before it is written.
 *
 * @param detail one sentence about this case; free of secrets and of the service's insides
 * @param violations the fields, where there are any
 * @param retryAfterSeconds when to try again; null for "not before something else changes"
 */
public record Problem(
        ProblemKind kind,
        String detail,
        List<Violation> violations,
        @Nullable Integer retryAfterSeconds) {

    public Problem {
        violations = List.copyOf(violations);
    }

    public static Problem of(ProblemKind kind, String detail) {
        return new Problem(kind, detail, List.of(), null);
    }

    public static Problem violation(ProblemKind kind, String field, String message) {
        return violations(kind, List.of(new Violation(field, message)));
    }

    public static Problem violations(ProblemKind kind, List<Violation> violations) {
        String detail = violations.size() == 1 ? "one violation" : violations.size() + " violations";
        return new Problem(kind, detail, violations, null);
    }

    public static Problem retry(ProblemKind kind, String detail, int seconds) {
        return new Problem(kind, detail, List.of(), seconds);
    }
}
