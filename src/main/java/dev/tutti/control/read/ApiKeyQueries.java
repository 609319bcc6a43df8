package dev.tutti.control.read;

import dev.tutti.control.Identities.Role;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads API keys, for administrators: who has which role, until when; never a key or its hash. */
public interface ApiKeyQueries {

    /** API keys, oldest first, expired ones among them. */
    Page<ApiKeyView> keys(PageRequest page);

    /** @param idOrName an API key's id or its name */
    Optional<ApiKeyView> key(String idOrName);

    /**
     * One API key.
     *
     * @param version row version, the ETag
     * @param expiresAt from when on it is nobody's; null for never
     */
    record ApiKeyView(
            long id,
            String name,
            Role role,
            long version,
            Instant createdAt,
            @Nullable Instant expiresAt) {}
}
