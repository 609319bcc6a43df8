package dev.tutti.store;

import dev.tutti.control.read.BrokenCursor;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Cursors of lists: the last row's key with a check that only fits the list and the filter it was made for. The check
 * keeps mistakes out, not attackers: a cursor never says more than where a page begins.
 */
public final class Cursors {

    private static final int CHECK_BYTES = 8;
    private static final int MAX_LENGTH = 4_096;
    private static final String SEPARATOR = "\n";

    private Cursors() {}

    /**
     * A cursor.
     *
     * @param list name of the list and all of its filter
     * @param key parts of the last row's key, without line breaks
     */
    public static String write(String list, Object... key) {
        String text =
                String.join(SEPARATOR, Arrays.stream(key).map(Object::toString).toList());
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        byte[] whole = Arrays.copyOf(check(list, bytes), CHECK_BYTES + bytes.length);
        System.arraycopy(bytes, 0, whole, CHECK_BYTES, bytes.length);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(whole);
    }

    /** The key's parts, or null without a cursor; throws {@link BrokenCursor} for one that is not of this list. */
    public static @Nullable List<String> read(String list, @Nullable String cursor) {
        if (cursor == null) {
            return null;
        }
        byte[] whole = decode(cursor);
        byte[] key = Arrays.copyOfRange(whole, CHECK_BYTES, whole.length);
        if (!Arrays.equals(check(list, key), Arrays.copyOf(whole, CHECK_BYTES))) {
            throw new BrokenCursor(shown(cursor));
        }
        return List.of(new String(key, StandardCharsets.UTF_8).split(SEPARATOR, -1));
    }

    private static byte[] decode(String cursor) {
        try {
            byte[] whole = cursor.length() > MAX_LENGTH
                    ? new byte[0]
                    : Base64.getUrlDecoder().decode(cursor);
            if (whole.length > CHECK_BYTES) {
                return whole;
            }
        } catch (IllegalArgumentException e) {
            // Not Base64: answered below like every other nonsense.
        }
        throw new BrokenCursor(shown(cursor));
    }

    private static String shown(String cursor) {
        return cursor.length() > 64 ? cursor.substring(0, 64) + "…" : cursor;
    }

    private static byte[] check(String list, byte[] key) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(list.getBytes(StandardCharsets.UTF_8));
            digest.update((byte) 0);
            return Arrays.copyOf(digest.digest(key), CHECK_BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
