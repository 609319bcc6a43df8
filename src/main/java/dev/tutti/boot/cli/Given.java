package dev.tutti.boot.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** Turns what was typed into values, and whatever is wrong with it into a sentence that names the option. */
public final class Given {

    private final CommandLine command;

    public Given(CommandLine command) {
        this.command = command;
    }

    /** What {@code reading} makes of the option; its {@link IllegalArgumentException} says what is wrong. */
    public <T> T checked(String option, Supplier<T> reading) {
        try {
            return reading.get();
        } catch (IllegalArgumentException wrong) {
            throw new ParameterException(command, option + ": " + wrong.getMessage(), wrong);
        }
    }

    /** A whole number from {@code min} to {@code max}. */
    public int number(String option, String text, int min, int max) {
        return checked(option, () -> {
            if (text.matches("[0-9]{1,9}") && Integer.parseInt(text) >= min && Integer.parseInt(text) <= max) {
                return Integer.parseInt(text);
            }
            throw new IllegalArgumentException(
                    "\"" + text + "\" is none; give a whole number from " + min + " to " + max);
        });
    }

    /** A path where a file can be written; looked at before hours of work. */
    public Path newFile(String option, Path path) {
        return checked(option, () -> {
            Path folder = path.toAbsolutePath().getParent();
            boolean possible =
                    Files.exists(path) ? Files.isRegularFile(path) : folder != null && Files.isDirectory(folder);
            if (!possible || !opens(path)) {
                throw new IllegalArgumentException(
                        path + " cannot be written; name a file in a folder that exists and is yours");
            }
            return path;
        });
    }

    /** Tried, because not all that stands in the way shows in the permissions; what was not there is not there after. */
    private static boolean opens(Path path) {
        boolean isNew = !Files.exists(path);
        try {
            Files.newOutputStream(path, StandardOpenOption.CREATE, StandardOpenOption.APPEND)
                    .close();
            if (isNew) {
                Files.delete(path);
            }
            return true;
        } catch (IOException refused) {
            return false;
        }
    }

    public void write(Path file, String text) {
        try {
            Files.writeString(file, text);
        } catch (IOException e) {
            throw new IllegalStateException(file + " could not be written: " + e.getMessage(), e);
        }
    }
}
