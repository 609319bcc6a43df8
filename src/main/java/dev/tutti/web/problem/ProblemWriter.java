package dev.tutti.web.problem;

import dev.tutti.web.calls.Trace;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import tools.jackson.databind.json.JsonMapper;

/** Writes a problem as the whole answer, whatever the request accepts. */
public final class ProblemWriter {

    private static final JsonMapper MAPPER = new JsonMapper();

    private ProblemWriter() {}

    /** Without effect when the answer is on its way already. */
    public static void write(HttpServletRequest request, HttpServletResponse response, Problem problem)
            throws IOException {
        if (response.isCommitted()) {
            return;
        }
        byte[] body = MAPPER.writeValueAsBytes(form(request, problem));
        response.resetBuffer();
        response.setStatus(problem.kind().status());
        response.setContentType("application/problem+json");
        response.setHeader("Cache-Control", "no-store");
        if (problem.retryAfterSeconds() != null) {
            response.setHeader("Retry-After", problem.retryAfterSeconds().toString());
        }
        response.setContentLength(body.length);
        response.getOutputStream().write(body);
    }

    private static ProblemResponse form(HttpServletRequest request, Problem problem) {
        ProblemKind kind = problem.kind();
        return new ProblemResponse(
                kind.type(),
                kind.title(),
                kind.status(),
                problem.detail(),
                ErrorPath.of(request),
                kind,
                problem.violations(),
                Trace.id(request));
    }
}
