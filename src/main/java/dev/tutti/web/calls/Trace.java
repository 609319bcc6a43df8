package dev.tutti.web.calls;

import jakarta.servlet.http.HttpServletRequest;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The W3C trace a request belongs to: the caller's, when its {@code traceparent} is well formed, else a new one. */
public final class Trace {

    static final String ATTRIBUTE = Trace.class.getName();

    private static final Pattern TRACEPARENT =
            Pattern.compile("(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(-.{0,200})?");

    private Trace() {}

    /** Trace id of the request, 32 hex digits. */
    public static String id(HttpServletRequest request) {
        if (request.getAttribute(ATTRIBUTE) instanceof String known) {
            return known;
        }
        String id = idOf(request.getHeader("traceparent"));
        request.setAttribute(ATTRIBUTE, id);
        return id;
    }

    /** What to answer as {@code traceparent}: the same trace, a span of our own. */
    static String parent(String traceId) {
        return "00-" + traceId + "-" + hex() + "-01";
    }

    private static String idOf(@Nullable String traceparent) {
        Matcher matcher = TRACEPARENT.matcher(traceparent == null ? "" : traceparent);
        return matcher.matches() ? matcher.group(1) : hex() + hex();
    }

    /** 16 hex digits, not all zero. Trace ids need to differ, not to be secret. */
    private static String hex() {
        return String.format("%016x", ThreadLocalRandom.current().nextLong(1, Long.MAX_VALUE));
    }
}
