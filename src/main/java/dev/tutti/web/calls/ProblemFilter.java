package dev.tutti.web.calls;

import dev.tutti.web.problem.Problem;
import dev.tutti.web.problem.ProblemFound;
import dev.tutti.web.problem.ProblemKind;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;
import org.springframework.web.servlet.HandlerExceptionResolver;

/** What filters throw gets the same problem as what controllers throw: the database is away for both of them. */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE + 1)
final class ProblemFilter extends OncePerRequestFilter {

    private static final @Nullable Object NO_HANDLER = null;

    private final HandlerExceptionResolver problems;

    ProblemFilter(@Qualifier("handlerExceptionResolver") HandlerExceptionResolver problems) {
        this.problems = problems;
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        try {
            checkLanguages(request);
            chain.doFilter(request, response);
        } catch (RuntimeException thrown) {
            if (response.isCommitted() || problems.resolveException(request, response, NO_HANDLER, thrown) == null) {
                throw thrown;
            }
        }
    }

    /** The container reads the languages late, and in places where its refusal would look like our mistake. */
    private static void checkLanguages(HttpServletRequest request) {
        try {
            request.getLocale();
        } catch (IllegalArgumentException tooMany) {
            throw new ProblemFound(
                    Problem.violation(ProblemKind.MALFORMED, HttpHeaders.ACCEPT_LANGUAGE, "names too many languages"));
        }
    }
}
