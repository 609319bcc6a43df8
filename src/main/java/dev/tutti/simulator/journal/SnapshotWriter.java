package dev.tutti.simulator.journal;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** Writes a file that begins with a whole state. Nobody sees the file before all of it is durable. */
final class SnapshotWriter {

    private final OutputStream out;
    private long written;

    SnapshotWriter(OutputStream out) {
        this.out = out;
    }

    void write(Consumer<BiConsumer<String, String>> state) throws IOException {
        append(Lines.HEADER);
        state.accept(this::line);
        append(Lines.line(new Fields.Writer(), written));
        out.flush();
    }

    private void line(String key, String value) {
        Fields.Writer one = new Fields.Writer();
        Lines.put(one, key, value);
        try {
            append(Lines.line(one, written));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void append(byte[] bytes) throws IOException {
        out.write(bytes);
        written += bytes.length;
    }
}
