package dev.tutti.web.keys;

import dev.tutti.web.input.Hashes;
import java.security.SecureRandom;
import java.util.Base64;

/**
 * An API key as its holder sees it: 256 random bits behind a prefix by which scanners and people know it. It lives for
 * one request; what stays is its hash, which needs no salt, because nobody guesses 256 bits.
 */
record Secret(String text) {

    private static final String PREFIX = "tutti_";
    private static final int BYTES = 32;
    private static final SecureRandom RANDOM = new SecureRandom();

    static Secret random() {
        byte[] bytes = new byte[BYTES];
        RANDOM.nextBytes(bytes);
        return new Secret(PREFIX + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes));
    }

    String sha256() {
        return Hashes.sha256(text);
    }

    /** Never in a log. */
    @Override
    public String toString() {
        return PREFIX + "…";
    }
}
