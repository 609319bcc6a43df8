package dev.tutti.web.security;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.tutti.control.Identities;
import dev.tutti.control.Identities.Identity;
import dev.tutti.control.Unavailable;
import jakarta.servlet.http.HttpServletRequest;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Who holds which key, remembered for ten seconds: that long a key still works that expired or another replica revoked. */
@Component
public final class KeyRing {

    /** Request attribute: hash of the key that was sent and is known; absent for a caller of this machine. */
    static final String HASH = "tutti.key-hash";

    private static final int REMEMBERED = 10_000;
    private static final Duration REMEMBERED_FOR = Duration.ofSeconds(10);

    private final Identities identities;
    private final Cache<String, Optional<Identity>> known = Caffeine.newBuilder()
            .maximumSize(REMEMBERED)
            .expireAfterWrite(REMEMBERED_FOR)
            .build();

    KeyRing(Identities identities) {
        this.identities = identities;
    }

    /** What is remembered of this key; null for nothing. */
    @Nullable
    Optional<Identity> remembered(String sha256) {
        return known.getIfPresent(sha256);
    }

    /** Asks the database. */
    Optional<Identity> lookUp(String sha256) {
        return known.get(sha256, identities::byKeyHash);
    }

    /**
     * Whether whoever sent this request still holds the key they sent: for answers that last. Without a key it is true,
     * and while the database is away nobody loses what they had.
     */
    public BooleanSupplier stillHeld(HttpServletRequest request) {
        return request.getAttribute(HASH) instanceof String sha256 ? () -> isHeld(sha256) : () -> true;
    }

    private boolean isHeld(String sha256) {
        try {
            return lookUp(sha256).isPresent();
        } catch (Unavailable away) {
            return true;
        }
    }

    /** Forgets this key once it is revoked: this replica refuses it from now on, also where it is being looked up. */
    public void forget(String sha256) {
        known.invalidate(sha256);
    }
}
