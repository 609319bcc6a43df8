package dev.tutti.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The records of decisions have all their parts, one page each, and their guards exist. */
class DecisionRecordsTest {

    private static final Path FOLDER = Path.of("docs/adr");
    private static final Pattern PARTS = Pattern.compile(
            "(?s)# \\d{4}: [A-Z].*\\*\\*Status\\.\\*\\* (Proposed|Accepted|Replaced by \\S+), \\d{4}-\\d\\d-\\d\\d\\."
                    + ".*\\*\\*Forces\\.\\*\\* .*\\*\\*Decision\\.\\*\\* .*\\*\\*Rejected\\.\\*\\*.*"
                    + "\\*\\*Guard\\.\\*\\* .*\\*\\*Doubt\\.\\*\\* .*");
    private static final Pattern GUARD = Pattern.compile("(?s)\\*\\*Guard\\.\\*\\*(.*?)\\n\\n");
    private static final Pattern TEST_NAME = Pattern.compile("`(\\w+Test)`");

    @Test
    void everyRecordHasAllPartsOnOnePage() throws IOException {
        assertThat(records()).hasSizeGreaterThanOrEqualTo(5).allSatisfy(record -> {
            String text = Files.readString(record);
            assertThat(text).as(record.toString()).matches(PARTS);
            assertThat(text.lines().count()).as(record + " is one page").isLessThan(60);
        });
    }

    @Test
    void everyRecordIsInTheIndexAndNumberedInOrder() throws IOException {
        String index = Files.readString(FOLDER.resolve("README.md"));
        int last = 0;
        for (Path record : records()) {
            String name = record.getFileName().toString();
            assertThat(name).matches("\\d{4}-.*");
            int number = Integer.parseInt(name.substring(0, 4));
            assertThat(number).as("no number twice").isGreaterThan(last);
            last = number;
            assertThat(Files.readString(record)).startsWith("# " + name.substring(0, 4) + ": ");
            assertThat(index).contains("](" + name + ")");
        }
    }

    @Test
    void everyGuardExists() throws IOException {
        Set<String> tests = testClasses();
        for (Path record : records()) {
            assertThat(guards(Files.readString(record)))
                    .as("guards of " + record)
                    .isNotEmpty()
                    .isSubsetOf(tests);
        }
    }

    private static List<String> guards(String text) {
        return GUARD.matcher(text)
                .results()
                .flatMap(guard -> TEST_NAME.matcher(guard.group(1)).results())
                .map(name -> name.group(1))
                .toList();
    }

    private static List<Path> records() throws IOException {
        try (Stream<Path> files = Files.list(FOLDER)) {
            return files.filter(file -> !file.endsWith("README.md")).sorted().toList();
        }
    }

    private static Set<String> testClasses() throws IOException {
        try (Stream<Path> files = Files.walk(Path.of("src/test/java"))) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith("Test.java"))
                    .map(name -> name.replace(".java", ""))
                    .collect(Collectors.toSet());
        }
    }
}
