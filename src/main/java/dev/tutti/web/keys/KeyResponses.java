package dev.tutti.web.keys;

import dev.tutti.control.read.ApiKeyQueries.ApiKeyView;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** API keys as they are shown. */
final class KeyResponses {

    private KeyResponses() {}

    /** One API key, without its secret. */
    @Schema(name = "ApiKey", description = "Who may call, in which role. The key itself is never shown again.")
    record KeyResponse(
            @Schema(description = "Opaque.") String id,
            @Schema(example = "nightly") String name,

            @Schema(allowableValues = {"viewer", "submitter", "operator", "admin"})
            String role,

            Instant createdAt,

            @Schema(description = "When it stops working; absent for never.") @Nullable
            Instant expiresAt) {

        static KeyResponse of(ApiKeyView key) {
            return new KeyResponse(
                    Long.toString(key.id()), key.name(), key.role().word(), key.createdAt(), key.expiresAt());
        }
    }

    /** A new API key, this once with its secret. */
    @Schema(name = "NewApiKey", description = "A new API key. This is the only answer that ever holds the key itself.")
    record NewKeyResponse(
            @Schema(description = "Opaque.") String id,
            @Schema(example = "nightly") String name,

            @Schema(allowableValues = {"viewer", "submitter", "operator", "admin"})
            String role,

            @Schema(description = "Send it as \"Authorization: Bearer <key>\". Keep it: only its hash is stored.")
            String key,

            Instant createdAt,

            @Schema(description = "When it stops working; absent for never.") @Nullable
            Instant expiresAt) {

        static NewKeyResponse of(ApiKeyView key, Secret secret) {
            return new NewKeyResponse(
                    Long.toString(key.id()),
                    key.name(),
                    key.role().word(),
                    secret.text(),
                    key.createdAt(),
                    key.expiresAt());
        }
    }
}
