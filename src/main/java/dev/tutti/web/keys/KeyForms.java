package dev.tutti.web.keys;

import dev.tutti.control.ApiKeyBook.NewApiKey;
import dev.tutti.control.Identities.Role;
import dev.tutti.model.InvalidInput;
import dev.tutti.model.Limits;
import dev.tutti.web.input.Texts;
import dev.tutti.web.input.Times;
import dev.tutti.web.input.Violations;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What is sent to make an API key, and its rules. */
final class KeyForms {

    private KeyForms() {}

    /** A new API key. */
    @Schema(name = "ApiKeyRequest", description = "A new API key. The key itself is made by the service.")
    record KeyRequest(
            @Schema(
                    description = "Free text of 1 to 128 characters without control characters and / \\ ; % that is not"
                            + " . or .., unique, no number. It stands in the audit and as submittedBy.",
                    example = "nightly")
            String name,

            @Schema(
                    description =
                            "viewer reads; submitter also submits and cancels jobs; operator also holds queues and"
                                    + " sets their quotas; admin also creates and removes queues, and makes and revokes API keys.",
                    allowableValues = {"viewer", "submitter", "operator", "admin"})
            String role,

            @Schema(
                    description = "When it stops working, within ten years; without it, never.",
                    type = "string",
                    format = "date-time")
            @Nullable
            String expiresAt) {}

    /** The API key to be made of what was sent, with this secret; {@link InvalidInput} with every violation. */
    static NewApiKey read(KeyRequest request, Secret secret, Instant now) {
        Violations violations = new Violations();
        Role role = role(request.role(), violations);
        Instant expiresAt = request.expiresAt() == null ? null : expiresAt(request.expiresAt(), now, violations);
        NewApiKey key = violations.build("", () -> new NewApiKey(request.name(), role, secret.sha256(), expiresAt));
        if (key == null || !violations.isEmpty()) {
            throw new InvalidInput(violations.list());
        }
        return key;
    }

    /** The role; the weakest with a violation added. */
    private static Role role(String word, Violations violations) {
        Optional<Role> role = Arrays.stream(Role.values())
                .filter(candidate -> candidate.word().equals(word))
                .findFirst();
        if (role.isEmpty()) {
            violations.add("role", "is \"" + Texts.clip(word) + "\"; give viewer, submitter, operator or admin");
        }
        return role.orElse(Role.VIEWER);
    }

    private static @Nullable Instant expiresAt(String text, Instant now, Violations violations) {
        Instant time = Times.read(text, "expiresAt", violations);
        if (time != null && !time.isAfter(now)) {
            violations.add("expiresAt", "is " + time + ", in the past; give a later time, or none for never");
        } else if (time != null && time.isAfter(now.plusSeconds(Limits.SECONDS))) {
            violations.add("expiresAt", "is " + time + ", more than ten years ahead; give none for never");
        }
        return time;
    }
}
