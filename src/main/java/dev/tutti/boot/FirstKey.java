package dev.tutti.boot;

import dev.tutti.control.Identities;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.diagnostics.FailureAnalyzedException;
import org.springframework.stereotype.Component;

/** Makes the key from the environment known as the first administrator's, before the first request is answered. */
@Component
final class FirstKey implements SmartInitializingSingleton {

    private static final int SHORTEST = 32;

    private final Identities identities;
    private final String key;

    FirstKey(Identities identities, @Value("${tutti.api-key}") String key) {
        this.identities = identities;
        this.key = key.strip();
    }

    @Override
    public void afterSingletonsInstantiated() {
        if (key.isEmpty()) {
            return;
        }
        if (key.length() < SHORTEST) {
            throw new FailureAnalyzedException(
                    "TUTTI_API_KEY has " + key.length() + " characters, too few to be safe.",
                    "Set it to a random text of at least " + SHORTEST
                            + ", for example the output of: openssl rand -hex 32");
        }
        identities.ensure(Identities.FIRST_ADMINISTRATOR, Identities.Role.ADMIN, sha256(key));
    }

    private static String sha256(String text) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            return HexFormat.of().formatHex(digest.digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
