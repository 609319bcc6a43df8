package dev.tutti.boot.environment;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Where a database is, read from the two forms that people have at hand: {@code jdbc:postgresql://host/db} and
 * {@code postgresql://user:password@host/db}. Decides only the form; whether anything answers there shows later.
 *
 * @param jdbcUrl the JDBC form, without user and password when they stood before the host
 * @param user percent-decoded, or null when none was given
 * @param password percent-decoded, or null when none was given
 */
record DatabaseUrl(
        String jdbcUrl, @Nullable String user, @Nullable String password) {

    private static final String JDBC = "jdbc:postgresql:";

    /** Empty when the text has neither form. */
    static Optional<DatabaseUrl> parse(String text) {
        String trimmed = text.strip();
        if (trimmed.startsWith(JDBC)) {
            return Optional.of(new DatabaseUrl(trimmed, null, null));
        }
        for (String scheme : new String[] {"postgresql://", "postgres://"}) {
            if (trimmed.startsWith(scheme)) {
                return parseRest(trimmed.substring(scheme.length()));
            }
        }
        return Optional.empty();
    }

    private static Optional<DatabaseUrl> parseRest(String rest) {
        int pathStart = rest.indexOf('/');
        if (pathStart < 0) {
            return Optional.empty();
        }
        // A password may hold an unescaped '@', a host never does: the last one divides them.
        int at = rest.lastIndexOf('@', pathStart);
        String host = rest.substring(at + 1, pathStart);
        if (host.isEmpty() || rest.length() == pathStart + 1) {
            return Optional.empty();
        }
        String jdbcUrl = JDBC + "//" + host + rest.substring(pathStart);
        if (at < 0) {
            return Optional.of(new DatabaseUrl(jdbcUrl, null, null));
        }
        String[] identity = rest.substring(0, at).split(":", 2);
        return decode(identity[0])
                .flatMap(user -> identity.length == 1
                        ? Optional.of(new DatabaseUrl(jdbcUrl, user, null))
                        : decode(identity[1]).map(password -> new DatabaseUrl(jdbcUrl, user, password)));
    }

    private static Optional<String> decode(String text) {
        try {
            // '+' stands for itself here; only forms mean a blank by it.
            return Optional.of(URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8));
        } catch (IllegalArgumentException malformed) {
            return Optional.empty();
        }
    }
}
