package dev.tutti.web.security;

import dev.tutti.control.Identities;
import dev.tutti.control.Identities.Identity;
import dev.tutti.control.Identities.Role;
import dev.tutti.web.calls.RateLimits;
import dev.tutti.web.calls.TraceFilter;
import dev.tutti.web.input.Hashes;
import dev.tutti.web.problem.Problem;
import dev.tutti.web.problem.ProblemKind;
import dev.tutti.web.problem.ProblemWriter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.GrantedAuthority;
import org.springframework.security.core.authority.SimpleGrantedAuthority;
import org.springframework.security.core.context.SecurityContext;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.web.filter.OncePerRequestFilter;

/** Finds out who calls, by the bearer token, and takes one call off that caller's bucket. Roles are checked later. */
final class CallerFilter extends OncePerRequestFilter {

    /** Who calls from this machine while there is no key. */
    private static final Identity LOCAL = new Identity(Identities.LOCAL, Role.ADMIN);

    private static final Pattern BEARER = Pattern.compile("(?i:Bearer) +([\\x21-\\x7e]{1,512})");

    private final KeyRing keys;
    private final RateLimits limits;
    private final boolean loopbackOnly;

    CallerFilter(KeyRing keys, RateLimits limits, boolean loopbackOnly) {
        this.keys = keys;
        this.limits = limits;
        this.loopbackOnly = loopbackOnly;
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        Optional<String> objection = loopbackOnly ? LocalGuard.objection(request) : Optional.empty();
        if (objection.isPresent()) {
            ProblemWriter.write(request, response, Problem.of(ProblemKind.FOREIGN_ORIGIN, objection.get()));
            return;
        }
        String header = request.getHeader("Authorization");
        Identity caller = header == null ? local() : caller(header, request, response);
        if (header != null && caller == null) {
            return;
        }
        String bucket = caller == null ? address(request) : "caller " + caller.name();
        if (limits.admit(bucket, request, response)) {
            proceed(caller, request, response, chain);
        }
    }

    private @Nullable Identity local() {
        return loopbackOnly ? LOCAL : null;
    }

    /** The key's holder; null when the request is answered already. */
    private @Nullable Identity caller(String header, HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        Matcher bearer = BEARER.matcher(header);
        if (!bearer.matches()) {
            refuse(
                    request,
                    response,
                    header.strip().equalsIgnoreCase("Bearer")
                            ? "the key after \"Bearer\" is empty"
                            : "the Authorization header is not \"Bearer\" and a key");
            return null;
        }
        String hash = Hashes.sha256(bearer.group(1));
        Optional<Identity> known = keys.remembered(hash);
        if (known == null) {
            // Guessing keys costs the guesser's address, not the database.
            if (!limits.admit(address(request), request, response)) {
                return null;
            }
            known = keys.lookUp(hash);
        }
        if (known.isEmpty()) {
            refuse(request, response, "the key is unknown or has expired");
        }
        request.setAttribute(KeyRing.HASH, hash);
        return known.orElse(null);
    }

    private void refuse(HttpServletRequest request, HttpServletResponse response, String why) throws IOException {
        String remedy = "; the service has no first key, so on this machine no Authorization header is needed";
        Unauthenticated.answer(request, response, loopbackOnly ? why + remedy : why);
    }

    private static void proceed(
            @Nullable Identity caller, HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        if (caller == null) {
            chain.doFilter(request, response);
            return;
        }
        request.setAttribute(TraceFilter.CALLER, caller.name());
        request.setAttribute(TooWeak.HELD, caller.role());
        SecurityContext context = SecurityContextHolder.createEmptyContext();
        context.setAuthentication(
                UsernamePasswordAuthenticationToken.authenticated(caller.name(), null, authorities(caller.role())));
        SecurityContextHolder.setContext(context);
        try {
            chain.doFilter(request, response);
        } finally {
            SecurityContextHolder.clearContext();
        }
    }

    /** Each role may do what the ones before it may. */
    private static List<GrantedAuthority> authorities(Role role) {
        return Arrays.stream(Role.values())
                .filter(lower -> lower.compareTo(role) <= 0)
                .<GrantedAuthority>map(lower -> new SimpleGrantedAuthority(lower.name()))
                .toList();
    }

    private static String address(HttpServletRequest request) {
        return "address " + request.getRemoteAddr();
    }
}
