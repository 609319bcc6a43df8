package dev.tutti.boot.cli.trace;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

/** A CSV file with a heading, line by line; refusals name file, line, column and value, and what to give instead. */
final class CsvLines {

    private final Path file;
    private final List<String> header;
    private int line = 1;
    private String[] cells = {};

    private CsvLines(Path file, String header) {
        this.file = file;
        this.header = Arrays.stream(header.replace("\uFEFF", "").split(",", -1))
                .map(String::strip)
                .toList();
    }

    /**
     * Reads all of it; blank lines are left out.
     *
     * @param columns that must be there
     * @param most lines that may be there
     * @param each takes the values of the line that it was read to
     */
    static void read(Path file, List<String> columns, int most, Consumer<CsvLines> each) {
        try (BufferedReader in = Files.newBufferedReader(file)) {
            String header = in.readLine();
            CsvLines lines = new CsvLines(file, header == null ? "" : header);
            if (!lines.header.containsAll(columns)) {
                throw lines.wrong("the first line must name the columns " + String.join(",", columns));
            }
            int read = 0;
            for (String text = in.readLine(); text != null; text = in.readLine()) {
                if (lines.goTo(text)) {
                    each.accept(lines);
                    read++;
                }
                if (read > most) {
                    throw lines.wrong("there are more than " + most + " lines; give fewer");
                }
            }
            if (read == 0) {
                throw lines.wrong("nothing follows the first line; give a file with one thing a line");
            }
        } catch (IOException e) {
            throw new IllegalArgumentException(file + " cannot be read as text; name a file that can", e);
        }
    }

    private boolean goTo(String text) {
        line++;
        cells = text.split(",", -1);
        if (!text.isBlank() && cells.length < header.size()) {
            throw wrong("it has " + cells.length + " values for " + header.size() + " columns; give one for each");
        }
        return !text.isBlank();
    }

    /** A value that is not empty. */
    String text(String column) {
        String value = cells[header.indexOf(column)].strip();
        if (value.isEmpty()) {
            throw wrong(column + " is empty; give a value");
        }
        return value;
    }

    /** A whole number from {@code min} to {@code max}. */
    long number(String column, long min, long max) {
        String value = text(column);
        if (value.matches("[0-9]{1,12}")) {
            long number = Long.parseLong(value);
            if (number >= min && number <= max) {
                return number;
            }
        }
        throw wrong(column + " is \"" + value + "\"; give a whole number from " + min + " to " + max);
    }

    IllegalArgumentException wrong(String what) {
        return new IllegalArgumentException(file + ", line " + line + ": " + what);
    }
}
