package dev.tutti.web.problem;

import jakarta.servlet.http.HttpServletResponse;
import java.io.EOFException;
import java.util.Arrays;
import java.util.Set;
import org.apache.coyote.BadRequestException;
import org.springframework.beans.TypeMismatchException;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.web.ErrorResponse;
import org.springframework.web.HttpRequestMethodNotSupportedException;
import org.springframework.web.method.annotation.MethodArgumentTypeMismatchException;

/** What Spring refuses by itself, as our kinds. */
final class FrameworkProblems {

    /** 5xx that are the caller's mistake all the same: a coding or an HTTP version nobody speaks. */
    private static final Set<Integer> NOT_OURS = Set.of(501, 505);

    private FrameworkProblems() {}

    /** Spring's own refusals: routes, methods, media types, missing parameters. Their headers (Allow, Accept) are kept. */
    static Problem of(Exception e, ErrorResponse spring, HttpServletResponse response) {
        spring.getHeaders().forEach((name, values) -> values.forEach(value -> response.addHeader(name, value)));
        String known = spring.getBody().getDetail();
        String detail = known == null ? "the request cannot be handled" : known;
        return e instanceof HttpRequestMethodNotSupportedException method
                ? Problem.of(ProblemKind.METHOD_NOT_ALLOWED, "not with " + method.getMethod())
                : Problem.of(kind(spring.getStatusCode().value()), detail);
    }

    /** Everything else: what a caller sent wrong is named, the rest is our own mistake. */
    static Problem of(Exception e) {
        if (e instanceof MethodArgumentTypeMismatchException mismatch) {
            return Problem.violation(ProblemKind.VALIDATION, mismatch.getName(), mismatch(mismatch));
        }
        if (e instanceof HttpMessageNotReadableException
                || e instanceof EOFException
                || e instanceof BadRequestException) {
            return Problem.violation(ProblemKind.MALFORMED, "", "the body cannot be read");
        }
        return Problem.of(ProblemKind.INTERNAL, "the request failed by a mistake of the service");
    }

    /** The kind for a status that something else decided. */
    static ProblemKind kind(int status) {
        boolean ours = status >= 500 && !NOT_OURS.contains(status);
        return Arrays.stream(ProblemKind.values())
                .filter(kind -> kind.status() == status && !kind.name().equals("VALIDATION"))
                .findFirst()
                .orElse(ours ? ProblemKind.INTERNAL : ProblemKind.MALFORMED);
    }

    private static String mismatch(TypeMismatchException mismatch) {
        Class<?> wanted = mismatch.getRequiredType();
        if (wanted != null && wanted.isEnum()) {
            return "is unknown; give one of " + Arrays.toString(wanted.getEnumConstants());
        }
        return wanted == Boolean.class || wanted == boolean.class ? "give true or false" : "give a whole number";
    }
}
