package dev.tutti.testkit.envtest;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

/** The key pair with which an API server signs and checks service account tokens, made by the JDK alone. */
record ServiceAccountKeys(Path privateKey, Path publicKey) {

    private static final int RSA_BITS = 2048;
    private static final int PEM_LINE_CHARACTERS = 64;

    static ServiceAccountKeys create(Path folder) throws IOException {
        KeyPair pair = pair();
        return new ServiceAccountKeys(
                pem(
                        folder.resolve("service-account.key"),
                        "PRIVATE KEY",
                        pair.getPrivate().getEncoded()),
                pem(
                        folder.resolve("service-account.pub"),
                        "PUBLIC KEY",
                        pair.getPublic().getEncoded()));
    }

    private static KeyPair pair() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
            generator.initialize(RSA_BITS);
            return generator.generateKeyPair();
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every JDK has RSA", impossible);
        }
    }

    private static Path pem(Path file, String kind, byte[] encoded) throws IOException {
        String body =
                Base64.getMimeEncoder(PEM_LINE_CHARACTERS, new byte[] {'\n'}).encodeToString(encoded);
        String text = "-----BEGIN " + kind + "-----\n" + body + "\n-----END " + kind + "-----\n";
        return Files.writeString(file, text, StandardCharsets.US_ASCII);
    }
}
