package dev.tutti.testkit.envtest;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** The temporary folder of one test server: data, keys, tokens and logs. */
record ServerFolder(Path path) implements AutoCloseable {

    static ServerFolder create() throws IOException {
        return new ServerFolder(Files.createTempDirectory("tutti-envtest-"));
    }

    Path file(String name) {
        return path.resolve(name);
    }

    Path write(String name, String text) throws IOException {
        return Files.writeString(file(name), text);
    }

    @Override
    public void close() {
        try (Stream<Path> files = Files.walk(path)) {
            files.sorted(Comparator.reverseOrder()).forEach(ServerFolder::delete);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot delete " + path, e);
        }
    }

    private static void delete(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot delete " + file, e);
        }
    }
}
