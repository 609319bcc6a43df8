package dev.tutti.testkit.envtest;

import java.security.SecureRandom;
import java.util.HexFormat;

/** The bearer tokens of the two users that a test server knows. */
record Tokens(String admin, String tutti) {

    private static final int TOKEN_BYTES = 32;

    static Tokens random() {
        SecureRandom random = new SecureRandom();
        return new Tokens(token(random), token(random));
    }

    /** The file for {@code --token-auth-file}: token, user, uid, groups. */
    String csv() {
        return admin + ",admin,admin,system:masters\n" + tutti + ",tutti,tutti,tutti\n";
    }

    private static String token(SecureRandom random) {
        byte[] bytes = new byte[TOKEN_BYTES];
        random.nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }
}
