package dev.tutti.web.problem;

import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.http.HttpServletRequest;

/** The path that was asked for, also where the container handles an error under another one. */
final class ErrorPath {

    private ErrorPath() {}

    static String of(HttpServletRequest request) {
        Object original = request.getAttribute(RequestDispatcher.ERROR_REQUEST_URI);
        String path = original instanceof String uri ? uri : request.getRequestURI();
        return path == null ? "" : path;
    }
}
