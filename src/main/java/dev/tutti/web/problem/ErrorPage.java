package dev.tutti.web.problem;

import io.swagger.v3.oas.annotations.Hidden;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.boot.webmvc.error.ErrorController;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Where the container sends errors that no controller saw: refused by a filter or the firewall, or thrown there. */
@Hidden
@RestController
final class ErrorPage implements ErrorController {

    @RequestMapping("/error")
    void error(HttpServletRequest request, HttpServletResponse response) throws IOException {
        ProblemKind kind = request.getAttribute(RequestDispatcher.ERROR_STATUS_CODE) instanceof Integer status
                ? FrameworkProblems.kind(status)
                : ProblemKind.NOT_FOUND;
        ProblemWriter.write(request, response, Problem.of(kind, "the request was refused before it was handled"));
    }
}
