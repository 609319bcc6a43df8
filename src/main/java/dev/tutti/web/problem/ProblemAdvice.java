package dev.tutti.web.problem;

import dev.tutti.control.OutcomeUnknown;
import dev.tutti.control.Unavailable;
import dev.tutti.control.read.BrokenCursor;
import dev.tutti.control.read.CursorTooOld;
import dev.tutti.model.InvalidInput;
import dev.tutti.web.input.BodyBytes;
import dev.tutti.web.input.BodyTooLarge;
import dev.tutti.web.input.MalformedBody;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.apache.catalina.connector.ClientAbortException;
import org.apache.tomcat.util.http.InvalidParameterException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.dao.NonTransientDataAccessResourceException;
import org.springframework.dao.TransientDataAccessException;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.security.web.firewall.RequestRejectedException;
import org.springframework.transaction.TransactionException;
import org.springframework.web.ErrorResponse;
import org.springframework.web.HttpRequestMethodNotSupportedException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.context.request.async.AsyncRequestNotUsableException;
import org.springframework.web.servlet.NoHandlerFoundException;
import org.springframework.web.servlet.resource.NoResourceFoundException;

/** Turns whatever ends a request early into its problem. A caller's mistake is never a 500. */
@RestControllerAdvice
@Order(Ordered.HIGHEST_PRECEDENCE)
final class ProblemAdvice {

    private static final Logger LOG = LoggerFactory.getLogger(ProblemAdvice.class);

    private final Routes routes;

    ProblemAdvice(Routes routes) {
        this.routes = routes;
    }

    @ExceptionHandler({NoResourceFoundException.class, NoHandlerFoundException.class})
    void nothingThere(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String detail = routes.unknown(request.getMethod(), request.getRequestURI());
        ProblemWriter.write(request, response, Problem.of(ProblemKind.NOT_FOUND, detail));
    }

    /** Behind a colon that is an action that nobody knows, not another method. */
    @ExceptionHandler
    void otherMethod(HttpRequestMethodNotSupportedException e, HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        Problem problem = routes.unknownAction(request.getRequestURI())
                .map(detail -> Problem.of(ProblemKind.NOT_FOUND, detail))
                .orElseGet(() -> FrameworkProblems.of(e, e, response));
        ProblemWriter.write(request, response, problem);
    }

    @ExceptionHandler
    void invalid(InvalidInput e, HttpServletRequest request, HttpServletResponse response) throws IOException {
        ProblemWriter.write(request, response, Problem.violations(ProblemKind.VALIDATION, e.violations()));
    }

    @ExceptionHandler
    void found(ProblemFound e, HttpServletRequest request, HttpServletResponse response) throws IOException {
        ProblemWriter.write(request, response, e.problem());
    }

    @ExceptionHandler
    void malformed(MalformedBody e, HttpServletRequest request, HttpServletResponse response) throws IOException {
        ProblemWriter.write(
                request,
                response,
                Problem.violation(
                        ProblemKind.MALFORMED,
                        e.violation().field(),
                        e.violation().message()));
    }

    @ExceptionHandler
    void tooLarge(BodyTooLarge e, HttpServletRequest request, HttpServletResponse response) throws IOException {
        ProblemWriter.write(request, response, Problem.of(ProblemKind.TOO_LARGE, "the body is longer than 1 MiB"));
    }

    @ExceptionHandler
    void cursor(BrokenCursor e, HttpServletRequest request, HttpServletResponse response) throws IOException {
        ProblemWriter.write(
                request,
                response,
                Problem.violation(
                        ProblemKind.VALIDATION,
                        "cursor",
                        "is not a cursor of this list; give the next of its page before, unchanged, or none"));
    }

    @ExceptionHandler
    void tooOld(CursorTooOld e, HttpServletRequest request, HttpServletResponse response) throws IOException {
        ProblemWriter.write(
                request, response, Problem.of(ProblemKind.CURSOR_TOO_OLD, "events at this cursor are no longer kept"));
    }

    @ExceptionHandler
    void unknownOutcome(OutcomeUnknown e, HttpServletRequest request, HttpServletResponse response) throws IOException {
        LOG.warn("no reply of the database: {}", e.getMessage());
        ProblemWriter.write(
                request,
                response,
                Problem.retry(ProblemKind.OUTCOME_UNKNOWN, "the database was lost before it confirmed", 2));
    }

    @ExceptionHandler({
        Unavailable.class,
        TransientDataAccessException.class,
        NonTransientDataAccessResourceException.class,
        TransactionException.class
    })
    void away(Exception e, HttpServletRequest request, HttpServletResponse response) throws IOException {
        LOG.warn("the database is away or full of work: {}", e.toString());
        ProblemWriter.write(
                request, response, Problem.retry(ProblemKind.UNAVAILABLE, "the database does not answer now", 2));
    }

    /** The security filters answer these; they must come through. */
    @ExceptionHandler
    void denied(AccessDeniedException e) {
        throw e;
    }

    @ExceptionHandler
    void callerHasGone(AsyncRequestNotUsableException e) {
        LOG.debug("the caller has gone: {}", e.getMessage());
    }

    @ExceptionHandler
    void callerHasGoneOrSleeps(ClientAbortException e, HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        LOG.debug("the caller has gone or sends too slowly: {}", e.getMessage());
        malformed(BodyBytes.tooSlow(), request, response);
    }

    /** Found when they are read, by the container or the firewall. */
    @ExceptionHandler({InvalidParameterException.class, RequestRejectedException.class})
    void oddCharacters(Exception e, HttpServletRequest request, HttpServletResponse response) throws IOException {
        LOG.debug("a parameter or header is refused: {}", e.getMessage());
        malformed(
                new MalformedBody(
                        "", "a parameter or header is not UTF-8 or holds a control character; encode it anew"),
                request,
                response);
    }

    @ExceptionHandler
    void anything(Exception e, HttpServletRequest request, HttpServletResponse response) throws IOException {
        Problem problem =
                e instanceof ErrorResponse spring ? FrameworkProblems.of(e, spring, response) : FrameworkProblems.of(e);
        if (problem.kind() == ProblemKind.INTERNAL) {
            LOG.error("a request failed by our own mistake", e);
        }
        ProblemWriter.write(request, response, problem);
    }
}
