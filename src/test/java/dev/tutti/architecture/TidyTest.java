package dev.tutti.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The files of this repository are tidy. */
class TidyTest {

    private static final Path MAIN = Path.of("src/main/java");
    private static final Path TESTS = Path.of("src/test/java");
    private static final Set<String> TEXT = Set.of(
            "java",
            "md",
            "yaml",
            "yml",
            "xml",
            "sql",
            "properties",
            "sh",
            "json",
            "py",
            "toml",
            "mod",
            "css",
            "js",
            "html",
            "config",
            "jte",
            "run",
            "http");
    private static final Set<String> NOT_OURS = Set.of("target", ".git", "node_modules", "data", ".idea", ".vscode");

    @Test
    void noFileIsTooLong() {
        assertThat(check(MAIN, Tidy::tooLongFile)).isEmpty();
    }

    @Test
    void noMethodIsTooLong() {
        Map<String, String> texts = new TreeMap<>();
        files(MAIN).stream()
                .filter(file -> file.toString().endsWith(".java"))
                .forEach(file -> texts.put(file.toString().replace('\\', '/'), read(file)));

        assertThat(texts).isNotEmpty();
        assertThat(Tidy.tooLongMethods(texts)).isEmpty();
    }

    @Test
    void everyTestRuns() {
        assertThat(check(TESTS, Tidy::testThatNeverRuns)).isEmpty();
    }

    @Test
    void onlyTheCommandLineAndTheBannerPrint() {
        assertThat(check(MAIN, Tidy::console)).isEmpty();
    }

    @Test
    void nothingIsLeftForLaterOrSwitchedOff() {
        assertThat(check(Path.of(""), Tidy::leftovers)).isEmpty();
    }

    @Test
    void nothingNamesTheMachineItWasWrittenOn() {
        assertThat(check(Path.of(""), Tidy::machinePaths)).isEmpty();
    }

    @Test
    void nothingNamesTheHostOfARegistry() {
        assertThat(check(Path.of(""), Tidy::registryHosts)).isEmpty();
    }

    @Test
    void everyPackageIsNullMarked() {
        List<String> unmarked = packages().keySet().stream()
                .filter(folder -> !isNullMarked(Path.of(folder, "package-info.java")))
                .toList();

        assertThat(unmarked).isEmpty();
    }

    @Test
    void packagesOfUnusualSizeAreNamed() {
        packages().forEach((folder, files) -> {
            if (files < 5 || files > 20) {
                System.out.println("=== tidy: " + folder + " has " + files + " files (aim: 5 to 20)");
            }
        });
        assertThat(packages()).isNotEmpty();
    }

    private static boolean isNullMarked(Path info) {
        return Files.exists(info) && read(info).contains("@NullMarked");
    }

    /** Folder of each main package to its number of files without package-info. */
    private static Map<String, Integer> packages() {
        Map<String, Integer> packages = new TreeMap<>();
        files(MAIN).stream()
                .filter(file -> !file.endsWith("package-info.java"))
                .forEach(file -> packages.merge(file.getParent().toString(), 1, Integer::sum));
        return packages;
    }

    private static List<String> check(Path root, BiFunction<String, String, List<String>> rule) {
        List<String> found = new ArrayList<>();
        for (Path file : files(root)) {
            found.addAll(rule.apply(file.toString().replace('\\', '/'), read(file)));
        }
        return found;
    }

    private static List<Path> files(Path root) {
        try (Stream<Path> walk = Files.walk(root)) {
            return walk.filter(TidyTest::isOurs)
                    .filter(Files::isRegularFile)
                    .filter(file -> TEXT.contains(extension(file)))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isOurs(Path file) {
        for (Path part : file) {
            if (NOT_OURS.contains(part.toString())) {
                return false;
            }
        }
        return true;
    }

    private static String extension(Path file) {
        String name = file.getFileName().toString();
        // Scripts have no extension; all of them are text.
        return name.contains(".") ? name.substring(name.lastIndexOf('.') + 1) : "sh";
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(file.toString(), e);
        }
    }
}
