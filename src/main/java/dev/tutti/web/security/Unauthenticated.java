package dev.tutti.web.security;

import dev.tutti.web.problem.Problem;
import dev.tutti.web.problem.ProblemKind;
import dev.tutti.web.problem.ProblemWriter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** The 401. */
final class Unauthenticated {

    private Unauthenticated() {}

    static void answer(HttpServletRequest request, HttpServletResponse response, String detail) throws IOException {
        response.setHeader("WWW-Authenticate", "Bearer realm=\"tutti\"");
        ProblemWriter.write(request, response, Problem.of(ProblemKind.UNAUTHENTICATED, detail));
    }
}
