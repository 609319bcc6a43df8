package dev.tutti.web.security;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.springframework.security.web.header.HeaderWriter;

/** What a browser may do with our answers: nothing with data; pages run only what this service itself serves. */
final class ContentPolicy implements HeaderWriter {

    private static final String DATA =
            "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

    /** Swagger UI sets style attributes and draws its icons from data URIs. */
    private static final String PAGES = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; "
            + "img-src 'self' data:; font-src 'self'; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; "
            + "form-action 'self'";

    @Override
    public void writeHeaders(HttpServletRequest request, HttpServletResponse response) {
        boolean data = request.getRequestURI().startsWith("/api/");
        response.setHeader("Content-Security-Policy", data ? DATA : PAGES);
    }
}
