package dev.tutti.web.input;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** Reads a body into memory, never more than the limit, whatever its length header says. */
public final class BodyBytes {

    /** The most bytes any body may have: 1 MiB. */
    public static final int LIMIT = 1 << 20;

    /** The longest any body may take to arrive, even if something of it comes now and then. */
    static final Duration TIME = Duration.ofSeconds(10);

    private static final String BYTE_ORDER_MARK = "\uFEFF";
    private static final int CHUNK = 16_384;

    private BodyBytes() {}

    /** All bytes of {@code body}; {@link BodyTooLarge} as soon as there are more than {@link #LIMIT}. */
    public static byte[] read(InputStream body) throws IOException {
        long start = System.nanoTime();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        byte[] chunk = new byte[CHUNK];
        for (int count = body.read(chunk); count >= 0; count = body.read(chunk)) {
            bytes.write(chunk, 0, count);
            if (bytes.size() > LIMIT) {
                throw new BodyTooLarge();
            }
            if (System.nanoTime() - start > TIME.toNanos()) {
                throw tooSlow();
            }
        }
        return bytes.toByteArray();
    }

    /** A body of which too little came for too long. */
    public static MalformedBody tooSlow() {
        return new MalformedBody("", "did not arrive within " + TIME.toSeconds() + " seconds; send it at once");
    }

    /** The text of a body, which is UTF-8 and nothing else, whatever its first bytes look like. */
    static String text(byte[] body) {
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(body))
                    .toString();
            return text.startsWith(BYTE_ORDER_MARK) ? text.substring(1) : text;
        } catch (CharacterCodingException broken) {
            throw new MalformedBody("", "the body is not UTF-8");
        }
    }
}
