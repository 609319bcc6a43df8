package dev.tutti.architecture;

import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toCollection;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The table of failures from the field in docs/testing.md names, for each case, every class that plays it. */
class FieldCasesTest {

    private static final Pattern PLAYED = Pattern.compile("\"(B\\d{2})\\b");
    private static final Pattern ROW = Pattern.compile("(?m)^\\| (B\\d{2}) \\|.*\\|([^|]*)\\|$");
    private static final Pattern CLASS = Pattern.compile("`(\\w+)`");

    @Test
    void theTableNamesWhatIsPlayedNoMoreAndNoLess() throws IOException {
        Map<String, TreeSet<String>> told = ROW.matcher(Files.readString(Path.of("docs/testing.md")))
                .results()
                .collect(Collectors.toMap(
                        row -> row.group(1),
                        row -> CLASS.matcher(row.group(2))
                                .results()
                                .map(name -> name.group(1))
                                .collect(toCollection(TreeSet::new)),
                        (one, other) -> {
                            throw new AssertionError("a case has two rows: " + one + " " + other);
                        },
                        TreeMap::new));

        assertThat(told).isEqualTo(played());
    }

    private static Map<String, TreeSet<String>> played() throws IOException {
        try (Stream<Path> files = Files.walk(Path.of("src/test/java"))) {
            return files.filter(file -> file.toString().endsWith(".java"))
                    .flatMap(file -> PLAYED.matcher(read(file))
                            .results()
                            .map(found -> Map.entry(
                                    found.group(1),
                                    file.getFileName().toString().replace(".java", ""))))
                    .collect(Collectors.groupingBy(
                            Map.Entry::getKey, TreeMap::new, mapping(Map.Entry::getValue, toCollection(TreeSet::new))));
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
