package dev.tutti.store.identity;

import dev.tutti.control.Identities;
import jakarta.persistence.Entity;
import jakarta.persistence.EnumType;
import jakarta.persistence.Enumerated;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.time.Instant;
import org.hibernate.annotations.Immutable;
import org.jspecify.annotations.Nullable;

/** One API key, known by its hash alone. */
@Entity
@Immutable
@Table(name = "api_keys")
class ApiKeyRow {

    @Id
    String sha256;

    String name;

    @Enumerated(EnumType.STRING)
    Identities.Role role;

    @Nullable
    Instant expiresAt;

    Identities.Identity identity() {
        return new Identities.Identity(name, role);
    }
}
