package dev.tutti.boot.postgres;

import io.zonky.test.db.postgres.embedded.DefaultPostgresBinaryResolver;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.springframework.util.FileSystemUtils;
import org.tukaani.xz.XZInputStream;

/**
 * The programs of PostgreSQL, unpacked from the class path into a folder of this service. Unpacked beside their place
 * and then moved there as a whole, so a kill in between leaves nothing half done.
 */
final class PostgresBinaries {

    private PostgresBinaries() {}

    /** The folder that holds {@code bin/postgres} and the rest; unpacks at the first start and after an upgrade. */
    static Path unpack(Path parent) throws IOException {
        byte[] archive = archive();
        Path target = parent.resolve("postgres-" + digest(archive));
        if (!Files.isDirectory(target)) {
            Path beside = parent.resolve("unpacking");
            FileSystemUtils.deleteRecursively(beside);
            extract(archive, Files.createDirectories(beside));
            Files.move(beside, target, StandardCopyOption.ATOMIC_MOVE);
        }
        return target;
    }

    private static byte[] archive() throws IOException {
        String name = System.getProperty("os.name").toLowerCase(Locale.ROOT);
        String system = name.startsWith("windows") ? "Windows" : name.startsWith("mac") ? "Darwin" : "Linux";
        String machine = System.getProperty("os.arch").replace("amd64", "x86_64");
        try (InputStream stream = DefaultPostgresBinaryResolver.INSTANCE.getPgBinary(system, machine)) {
            return stream.readAllBytes();
        }
    }

    private static void extract(byte[] archive, Path target) throws IOException {
        try (TarArchiveInputStream tar =
                new TarArchiveInputStream(new XZInputStream(new ByteArrayInputStream(archive)))) {
            for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
                Path file = target.resolve(entry.getName()).normalize();
                if (!file.startsWith(target)) {
                    throw new IOException("the archive reaches outside its folder: " + entry.getName());
                }
                if (entry.isDirectory()) {
                    Files.createDirectories(file);
                } else if (entry.isSymbolicLink()) {
                    Files.createDirectories(file.getParent());
                    Files.createSymbolicLink(file, Path.of(entry.getLinkName()));
                } else {
                    Files.createDirectories(file.getParent());
                    Files.copy(tar, file);
                    file.toFile().setExecutable((entry.getMode() & 0100) != 0, true);
                }
            }
        }
    }

    private static String digest(byte[] archive) {
        try {
            byte[] sum = MessageDigest.getInstance("SHA-256").digest(archive);
            return HexFormat.of().formatHex(sum, 0, 8);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
