package dev.tutti.web.calls;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;
import org.slf4j.event.Level;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;

/** The outermost filter: gives the request its trace id, and logs it without query, headers and body. */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE)
public final class TraceFilter extends OncePerRequestFilter {

    /** Request attribute: name of the caller, once known. */
    public static final String CALLER = "tutti.caller";

    private static final Logger LOG = LoggerFactory.getLogger(TraceFilter.class);

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        String trace = Trace.id(request);
        response.setHeader("traceparent", Trace.parent(trace));
        long start = System.nanoTime();
        MDC.put("traceId", trace);
        try {
            chain.doFilter(request, response);
        } finally {
            log(request, response, Duration.ofNanos(System.nanoTime() - start).toMillis());
            MDC.remove("traceId");
        }
    }

    private static void log(HttpServletRequest request, HttpServletResponse response, long millis) {
        if (!LOG.isDebugEnabled() && response.getStatus() < 500) {
            return;
        }
        Object caller = request.getAttribute(CALLER);
        LOG.atLevel(response.getStatus() < 500 ? Level.DEBUG : Level.WARN)
                .log(
                        "{} {} {} in {} ms by {}, trace {}",
                        request.getMethod(),
                        request.getRequestURI(),
                        response.getStatus(),
                        millis,
                        caller == null ? "nobody" : caller,
                        Trace.id(request));
    }
}
