package dev.tutti.web.security;

import jakarta.servlet.http.HttpServletRequest;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Without a key every caller of this machine is the administrator, so this decides who is of this machine: no other
 * address, no proxy's customer, and no foreign page in a browser, also not one whose name was made to point here.
 */
final class LocalGuard {

    private static final Pattern HOST = Pattern.compile("(\\[[0-9a-f:.]+]|[a-z0-9.-]+)(:\\d{1,5})?");
    private static final Set<String> LOCAL_NAMES = Set.of("localhost", "127.0.0.1", "[::1]");
    private static final List<String> PROXY_HEADERS =
            List.of("Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Real-IP", "Via");

    private LocalGuard() {}

    /** Why this request is not of this machine; empty when it is. */
    static Optional<String> objection(HttpServletRequest request) {
        if (!isLoopback(request.getRemoteAddr())) {
            return Optional.of("the caller is another machine");
        }
        if (PROXY_HEADERS.stream().anyMatch(name -> request.getHeader(name) != null)) {
            return Optional.of("the request came through a proxy");
        }
        if (!isLocalName(request.getHeader("Host"))) {
            return Optional.of("the Host header does not name this machine; call localhost or 127.0.0.1");
        }
        return isForeignPage(request) ? Optional.of("the request comes from a page of another site") : Optional.empty();
    }

    private static boolean isLoopback(String address) {
        try {
            return InetAddress.getByName(address).isLoopbackAddress();
        } catch (UnknownHostException odd) {
            return false;
        }
    }

    private static boolean isLocalName(@Nullable String host) {
        Matcher matcher = HOST.matcher(host == null ? "" : host.toLowerCase(Locale.ROOT));
        return matcher.matches() && LOCAL_NAMES.contains(matcher.group(1));
    }

    private static boolean isForeignPage(HttpServletRequest request) {
        String origin = request.getHeader("Origin");
        if (origin != null && !origin.equalsIgnoreCase(request.getScheme() + "://" + request.getHeader("Host"))) {
            return true;
        }
        String site = request.getHeader("Sec-Fetch-Site");
        return site != null && !site.equals("same-origin") && !site.equals("none") && !isNavigation(request);
    }

    /** Following a link to a page is harmless: the other site cannot read the answer. */
    private static boolean isNavigation(HttpServletRequest request) {
        return request.getMethod().equals("GET")
                && "navigate".equals(request.getHeader("Sec-Fetch-Mode"))
                && "document".equals(request.getHeader("Sec-Fetch-Dest"));
    }
}
