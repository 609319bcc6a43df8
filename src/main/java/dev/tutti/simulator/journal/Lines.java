package dev.tutti.simulator.journal;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import java.util.zip.CRC32C;

/**
 * The format of the file. The first line names it; each other line is one batch: checksum, how much of the file was
 * known to be durable when the line was made, and the changes.
 */
final class Lines {

    static final byte[] HEADER = "tutti-journal 1\n".getBytes(StandardCharsets.US_ASCII);

    private static final int CHECKSUM = 8;
    private static final String PUT = "+";
    private static final String REMOVE = "-";

    private Lines() {}

    static void put(Fields.Writer batch, String key, String value) {
        batch.text(PUT).text(key).text(value);
    }

    static void remove(Fields.Writer batch, String key) {
        batch.text(REMOVE).text(key);
    }

    static byte[] line(Fields.Writer batch, long durable) {
        byte[] body = (durable + " " + batch + "\n").getBytes(StandardCharsets.UTF_8);
        byte[] line = new byte[CHECKSUM + 1 + body.length];
        byte[] checksum = checksum(body, 0, body.length - 1).getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(checksum, 0, line, 0, CHECKSUM);
        line[CHECKSUM] = ' ';
        System.arraycopy(body, 0, line, CHECKSUM + 1, body.length);
        return line;
    }

    private static String checksum(byte[] bytes, int from, int length) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, from, length);
        return HexFormat.of().toHexDigits((int) crc.getValue());
    }

    /**
     * Reads a whole file into {@code state}. What comes after the last sound line was never acknowledged, because a
     * line says how much was durable before it; if a later sound line says that the bad one was, it throws
     * {@link JournalDamaged}.
     */
    static void read(Path file, byte[] bytes, Map<String, String> state) {
        if (!startsWithHeader(bytes)) {
            throw new JournalDamaged(file, 0, "it does not begin with " + text(HEADER, 0, HEADER.length - 1));
        }
        int at = HEADER.length;
        int bad = -1;
        boolean sealed = false;
        while (at < bytes.length) {
            int end = endOfLine(bytes, at);
            if (!isSound(bytes, at, end)) {
                bad = bad < 0 ? at : bad;
            } else if (bad < 0) {
                sealed |= apply(body(bytes, at, end), state);
            } else if (durable(body(bytes, at, end)) > bad) {
                throw new JournalDamaged(file, bad, "a line that was safely stored has changed");
            }
            at = end + 1;
        }
        if (!sealed) {
            throw new JournalDamaged(file, bytes.length, "its first part, which was written as a whole, is not whole");
        }
    }

    private static boolean startsWithHeader(byte[] bytes) {
        return bytes.length >= HEADER.length && Arrays.equals(bytes, 0, HEADER.length, HEADER, 0, HEADER.length);
    }

    private static int endOfLine(byte[] bytes, int from) {
        int end = from;
        while (end < bytes.length && bytes[end] != '\n') {
            end++;
        }
        return end;
    }

    private static boolean isSound(byte[] bytes, int from, int end) {
        int body = from + CHECKSUM + 1;
        return end < bytes.length
                && body < end
                && checksum(bytes, body, end - body).equals(text(bytes, from, CHECKSUM));
    }

    private static String body(byte[] bytes, int from, int end) {
        return new String(bytes, from + CHECKSUM + 1, end - from - CHECKSUM - 1, StandardCharsets.UTF_8);
    }

    private static long durable(String body) {
        return Long.parseLong(body.substring(0, body.indexOf(' ')));
    }

    /** Applies a batch; true for a batch without changes, which is how a state written as a whole ends. */
    private static boolean apply(String body, Map<String, String> state) {
        Fields.Reader in = new Fields.Reader(body.substring(body.indexOf(' ') + 1));
        boolean seal = !in.hasMore();
        while (in.hasMore()) {
            boolean put = in.text().equals(PUT);
            String key = in.text();
            if (put) {
                state.put(key, in.text());
            } else {
                state.remove(key);
            }
        }
        return seal;
    }

    private static String text(byte[] bytes, int from, int length) {
        return new String(bytes, from, length, StandardCharsets.US_ASCII);
    }
}
