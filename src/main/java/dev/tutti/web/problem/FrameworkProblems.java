package dev.tutti.web.problem;

import dev.tutti.web.input.Texts;
import jakarta.servlet.http.HttpServletResponse;
import java.io.EOFException;
import java.util.Arrays;
import java.util.Collection;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.coyote.BadRequestException;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.TypeMismatchException;
import org.springframework.core.convert.ConversionFailedException;
import org.springframework.http.HttpHeaders;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.web.ErrorResponse;
import org.springframework.web.HttpMediaTypeNotAcceptableException;
import org.springframework.web.HttpMediaTypeNotSupportedException;
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
        if (e instanceof HttpRequestMethodNotSupportedException method) {
            return Problem.of(
                    ProblemKind.METHOD_NOT_ALLOWED,
                    "not with " + method.getMethod() + "; this path takes " + list(method.getSupportedHttpMethods()));
        }
        if (e instanceof HttpMediaTypeNotSupportedException media) {
            String given = media.getContentType() == null ? "is missing" : "is " + media.getContentType();
            return Problem.violation(
                    ProblemKind.UNSUPPORTED_MEDIA_TYPE,
                    HttpHeaders.CONTENT_TYPE,
                    given + "; give " + list(media.getSupportedMediaTypes()));
        }
        if (e instanceof HttpMediaTypeNotAcceptableException media) {
            return Problem.violation(
                    ProblemKind.NOT_ACCEPTABLE,
                    HttpHeaders.ACCEPT,
                    "takes no form that this path has; give " + list(media.getSupportedMediaTypes()));
        }
        return Problem.of(kind(spring.getStatusCode().value()), detail);
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
        // Of a list it is one item that does not fit, and the item's type that says what would.
        ConversionFailedException item = innermost(mismatch);
        Class<?> wanted =
                item == null ? mismatch.getRequiredType() : item.getTargetType().getType();
        Object value = item == null ? mismatch.getValue() : item.getValue();
        String given = "is \"" + Texts.clip(String.valueOf(value)) + "\"; give ";
        if (wanted != null && wanted.isEnum()) {
            return given + "one of " + list(Arrays.asList(wanted.getEnumConstants()));
        }
        return given
                + (wanted == Boolean.class || wanted == boolean.class ? "true or false" : "a smaller whole number");
    }

    private static @Nullable ConversionFailedException innermost(TypeMismatchException mismatch) {
        ConversionFailedException inner = null;
        Throwable cause = mismatch.getCause();
        while (cause instanceof ConversionFailedException next) {
            inner = next;
            cause = next.getCause();
        }
        return inner;
    }

    private static String list(@Nullable Collection<?> known) {
        return known == null || known.isEmpty()
                ? "nothing"
                : known.stream().map(String::valueOf).collect(Collectors.joining(" or "));
    }
}
