package dev.tutti.boot.postgres;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermissions;
import org.springframework.boot.diagnostics.FailureAnalyzedException;

/**
 * The folder in which one service keeps what must outlive it. Holds a lock as long as it is open, so a second service on
 * the same folder is refused and everything in the folder belongs to this process or to a dead one. The lock goes with
 * the process, however it ends. What lies in the folder is others' matter.
 */
public final class DataFolder implements AutoCloseable {

    private static final String ANOTHER = "Set TUTTI_DATA_DIR to a folder that this user may write.";

    private final Path path;
    private final FileChannel lock;

    private DataFolder(Path path, FileChannel lock) {
        this.path = path;
        this.lock = lock;
    }

    /**
     * Makes the folder where it is missing, readable by this user only, and locks it.
     *
     * @throws FailureAnalyzedException when it cannot be written, or another service holds it
     */
    public static DataFolder open(Path wish) {
        try {
            Path path = create(wish.toAbsolutePath().normalize()).toRealPath();
            FileChannel channel = FileChannel.open(
                    path.resolve("tutti.lock"),
                    StandardOpenOption.CREATE,
                    StandardOpenOption.READ,
                    StandardOpenOption.WRITE);
            if (!lock(channel)) {
                String holder = read(channel);
                channel.close();
                throw new FailureAnalyzedException(
                        "Another Tutti service" + (holder.isEmpty() ? "" : " (process " + holder + ")")
                                + " is using the data folder " + path + ".",
                        "Stop it, or give this one a folder of its own by TUTTI_DATA_DIR.");
            }
            write(channel, Long.toString(ProcessHandle.current().pid()));
            return new DataFolder(path, channel);
        } catch (FileAlreadyExistsException e) {
            throw new FailureAnalyzedException("The data folder " + wish + " is not a folder.", ANOTHER, e);
        } catch (IOException e) {
            throw new FailureAnalyzedException(
                    "The data folder " + wish + " cannot be written: " + reason(e) + ".", ANOTHER, e);
        }
    }

    /** Absolute, without symbolic links. */
    public Path path() {
        return path;
    }

    /** A folder below it, made where it is missing. */
    public Path folder(String name) {
        try {
            return create(path.resolve(name));
        } catch (IOException e) {
            throw new FailureAnalyzedException(
                    "The folder " + path.resolve(name) + " cannot be made: " + reason(e) + ".", ANOTHER, e);
        }
    }

    /** Lets the next service in. */
    @Override
    public void close() {
        try {
            lock.close();
        } catch (IOException e) {
            throw new IllegalStateException("cannot release the lock of " + path, e);
        }
    }

    private static Path create(Path folder) throws IOException {
        if (Files.isDirectory(folder)) {
            return folder;
        }
        Path made = Files.createDirectories(folder);
        if (Files.getFileAttributeView(made, PosixFileAttributeView.class) != null) {
            Files.setPosixFilePermissions(made, PosixFilePermissions.fromString("rwx------"));
        }
        return made;
    }

    private static boolean lock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock() != null;
        } catch (OverlappingFileLockException heldByThisProcess) {
            return false;
        }
    }

    private static String read(FileChannel channel) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(20);
        channel.read(buffer, 0);
        return new String(buffer.array(), 0, buffer.position(), StandardCharsets.US_ASCII).strip();
    }

    private static void write(FileChannel channel, String text) throws IOException {
        channel.truncate(0);
        channel.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII)), 0);
    }

    private static String reason(IOException e) {
        if (e instanceof FileSystemException file && file.getReason() != null) {
            return file.getReason();
        }
        return e.getClass()
                .getSimpleName()
                .replaceAll("(?<=[a-z])(?=[A-Z])", " ")
                .replace(" Exception", "");
    }
}
