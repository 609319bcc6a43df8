package dev.tutti.web.security;

import dev.tutti.control.Identities.Role;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.security.authorization.AuthorityAuthorizationDecision;
import org.springframework.security.authorization.AuthorizationDeniedException;
import org.springframework.security.core.GrantedAuthority;

/** Says which role a refused caller has and which one the route takes. */
final class TooWeak {

    /** Of a request: the caller's role. Who calls is forgotten again before a refusal is written. */
    static final String HELD = "tutti.role";

    private TooWeak() {}

    static String detail(HttpServletRequest request, AccessDeniedException refusal) {
        Optional<Role> held = request.getAttribute(HELD) instanceof Role role ? Optional.of(role) : Optional.empty();
        Optional<Role> needed = needed(refusal).flatMap(TooWeak::strongest);
        return "the caller is " + held.map(TooWeak::word).orElse("nobody known") + "; this takes "
                + needed.map(role -> word(role) + (role == Role.ADMIN ? "" : " or a stronger role"))
                        .orElse("a stronger role");
    }

    private static Optional<Collection<GrantedAuthority>> needed(AccessDeniedException refusal) {
        return refusal instanceof AuthorizationDeniedException denied
                        && denied.getAuthorizationResult() instanceof AuthorityAuthorizationDecision decision
                ? Optional.of(decision.getAuthorities())
                : Optional.empty();
    }

    private static Optional<Role> strongest(Collection<? extends GrantedAuthority> authorities) {
        List<@Nullable String> names =
                authorities.stream().map(GrantedAuthority::getAuthority).toList();
        return List.of(Role.values()).stream()
                .filter(role -> names.contains(role.name()))
                .max(Comparator.naturalOrder());
    }

    private static String word(Role role) {
        return role.name().toLowerCase(Locale.ROOT);
    }
}
