package dev.tutti.simulator.journal;

import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the last value of each key in an append-only file of one folder, for one process at a time. Many threads that
 * wait at once share one sync of the disk. After a failed write or sync nothing is acknowledged any more: what the disk
 * holds then is known only by reading it again.
 *
 * <p>{@link #put}, {@link #remove}, {@link #commit} and {@link #rewrite} are called by one thread at a time.
 */
public final class Journal implements AutoCloseable {

    private static final String NAME = "journal";
    private static final String NEW_NAME = "journal.new";
    private static final long SMALL_BYTES = 64L << 20;
    private static final int GROWTH = 4;

    private final Path folder;
    private final FolderLock lock;
    private final Object monitor = new Object();
    private Fields.Writer batch = new Fields.Writer();
    private boolean batchEmpty = true;

    // Guarded by the monitor. Marks count bytes appended since the journal was opened; rewriting does not reset them.
    private ByteArrayOutputStream waiting = new ByteArrayOutputStream();
    private @Nullable FileOutputStream file;
    private long appended;
    private long durable;
    private long fileStart;
    private long rewrittenBytes;
    private long syncs;
    private boolean syncing;
    private @Nullable IOException failure;

    private Journal(Path folder, FolderLock lock) {
        this.folder = folder;
        this.lock = lock;
    }

    /**
     * Opens the journal of a folder, which is made where it is missing. {@link #read} and {@link #rewrite} come next,
     * once, in this order.
     *
     * @throws IllegalStateException when another process has it open
     */
    public static Journal open(Path folder) {
        try {
            return new Journal(folder, FolderLock.take(folder));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The state of all that was ever acknowledged; throws {@link JournalDamaged}. */
    public Map<String, String> read() {
        Map<String, String> state = new LinkedHashMap<>();
        Path path = folder.resolve(NAME);
        try {
            if (Files.exists(path)) {
                Lines.read(path, Files.readAllBytes(path), state);
            }
            return state;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Notes a new value; it is part of the batch that {@link #commit} closes. */
    public void put(String key, String value) {
        Lines.put(batch, key, value);
        batchEmpty = false;
    }

    /** Notes that a key is gone. */
    public void remove(String key) {
        Lines.remove(batch, key);
        batchEmpty = false;
    }

    /** Closes the batch, which survives whole or not at all; returns the mark that {@link #awaitDurable} takes. */
    public long commit() {
        synchronized (monitor) {
            if (!batchEmpty) {
                byte[] line = Lines.line(batch, durable - fileStart);
                batch = new Fields.Writer();
                batchEmpty = true;
                waiting.writeBytes(line);
                appended += line.length;
            }
            return appended;
        }
    }

    /** Returns once everything up to {@code mark} survives a crash; throws {@link UncheckedIOException} if it may not. */
    public void awaitDurable(long mark) {
        byte[] turn;
        FileOutputStream out;
        long target;
        synchronized (monitor) {
            awaitTurn(mark);
            if (durable >= mark) {
                return;
            }
            out = opened();
            syncing = true;
            turn = waiting.toByteArray();
            waiting.reset();
            target = appended;
        }
        IOException failed = write(out, turn);
        synchronized (monitor) {
            syncing = false;
            syncs++;
            if (failed == null) {
                durable = target;
            } else {
                failure = failed;
            }
            monitor.notifyAll();
            if (failed != null) {
                throw new UncheckedIOException(failed);
            }
        }
    }

    /** Waits until the mark is durable or nobody else is syncing; throws when the journal has failed. */
    private void awaitTurn(long mark) {
        boolean interrupted = false;
        while (durable < mark && syncing && failure == null) {
            try {
                monitor.wait();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        if (durable < mark && failure != null) {
            throw new UncheckedIOException(new IOException("the journal has failed before", failure));
        }
    }

    private FileOutputStream opened() {
        if (file == null) {
            throw new UncheckedIOException(new IOException("the journal in " + folder + " is not open"));
        }
        return file;
    }

    /** Not through a channel: the interrupt of one caller would close it for all. */
    private static @Nullable IOException write(FileOutputStream out, byte[] bytes) {
        try {
            out.write(bytes);
            out.getFD().sync();
            return null;
        } catch (IOException e) {
            return e;
        }
    }

    /** Whether so much was appended that rewriting would make the file much smaller. */
    public boolean wantsRewrite() {
        synchronized (monitor) {
            return appended - fileStart > Math.max(SMALL_BYTES, GROWTH * rewrittenBytes);
        }
    }

    /** How often the disk was synced, for measurements. */
    public long syncs() {
        synchronized (monitor) {
            return syncs;
        }
    }

    /**
     * Replaces the file by one that holds only the present state: written beside it, then renamed over it. All that was
     * committed before is durable after.
     *
     * @param state tells every key and value; includes what was committed
     */
    public void rewrite(Consumer<BiConsumer<String, String>> state) {
        synchronized (monitor) {
            awaitTurn(Long.MAX_VALUE);
            try {
                replaceFile(state);
            } catch (IOException e) {
                failure = e;
                throw new UncheckedIOException(e);
            }
        }
    }

    private void replaceFile(Consumer<BiConsumer<String, String>> state) throws IOException {
        Path fresh = folder.resolve(NEW_NAME);
        try (FileOutputStream out = new FileOutputStream(fresh.toFile())) {
            new SnapshotWriter(new BufferedOutputStream(out, 1 << 16)).write(state);
            out.getFD().sync();
        }
        rewrittenBytes = Files.size(fresh);
        if (file != null) {
            file.close();
        }
        Files.move(fresh, folder.resolve(NAME), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        syncFolder();
        file = new FileOutputStream(folder.resolve(NAME).toFile(), true);
        waiting.reset();
        durable = appended;
        fileStart = appended - rewrittenBytes;
    }

    /** Makes the new name durable; where folders cannot be opened, the file system has to see to it. */
    private void syncFolder() throws IOException {
        if (folder.getFileSystem().supportedFileAttributeViews().contains("posix")) {
            try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
                channel.force(true);
            }
        }
    }

    /** Makes durable what was committed, and lets go of the folder. */
    @Override
    public void close() {
        try {
            awaitDurable(commit());
        } finally {
            release();
        }
    }

    /** Lets go of the folder and keeps nothing more. */
    public void release() {
        closeFile();
        lock.close();
    }

    private void closeFile() {
        synchronized (monitor) {
            if (file != null) {
                try {
                    file.close();
                } catch (IOException e) {
                    failure = e;
                }
                file = null;
            }
        }
    }
}
