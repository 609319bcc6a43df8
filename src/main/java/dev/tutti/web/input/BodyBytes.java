package dev.tutti.web.input;

import java.io.IOException;
import java.io.InputStream;

/** Reads a body into memory, never more than the limit, whatever its length header says. */
public final class BodyBytes {

    /** The most bytes any body may have: 1 MiB. */
    public static final int LIMIT = 1 << 20;

    private BodyBytes() {}

    /** All bytes of {@code body}; {@link BodyTooLarge} as soon as there are more than {@link #LIMIT}. */
    public static byte[] read(InputStream body) throws IOException {
        byte[] bytes = body.readNBytes(LIMIT + 1);
        if (bytes.length > LIMIT) {
            throw new BodyTooLarge();
        }
        return bytes;
    }
}
