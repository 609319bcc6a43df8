package dev.tutti.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Each tidy rule is broken once on purpose, and must notice. Bad words are written apart. */
class TidyCanFailTest {

    @Test
    void aLongFileIsCaughtAndAFileAtTheLimitIsNot() {
        assertThat(Tidy.tooLongFile("A.java", "x\n".repeat(401))).containsExactly("A.java: 401 lines");
        assertThat(Tidy.tooLongFile("A.java", "x\n".repeat(400))).isEmpty();
    }

    @Test
    void aLongMethodIsCaughtAndAMethodAtTheLimitIsNot() {
        assertThat(Tidy.tooLongMethods(Map.of("A.java", method(59)))).containsExactly("A.java:2: work has 61 lines");
        assertThat(Tidy.tooLongMethods(Map.of("A.java", method(58)))).isEmpty();
    }

    @Test
    void aTestThatNeverRunsIsCaught() {
        String text = "class Rows {\n    @Property\n    void holds() {}\n}\n";

        assertThat(Tidy.testThatNeverRuns("src/test/java/a/RowsProperties.java", text))
                .hasSize(1);
        assertThat(Tidy.testThatNeverRuns("src/test/java/a/RowsTest.java", text))
                .isEmpty();
        assertThat(Tidy.testThatNeverRuns("src/test/java/a/LedgerContract.java", "abstract " + text))
                .isEmpty();
    }

    @Test
    void printingIsCaughtOutsideTheCommandLineAndTheBanner() {
        String text = "void f() { System" + ".out.println(1); }";

        assertThat(Tidy.console("src/main/java/dev/tutti/store/A.java", text)).hasSize(1);
        assertThat(Tidy.console("src/main/java/dev/tutti/web/Banner.java", text))
                .hasSize(1);
        assertThat(Tidy.console("src/main/java/dev/tutti/boot/cli/A.java", text))
                .isEmpty();
        assertThat(Tidy.console("src/main/java/dev/tutti/boot/StartBanner.java", text))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"TO-DO", "FIX-ME", "XX-X", "@Dis-abled"})
    void workLeftForLaterIsCaught(String word) {
        assertThat(Tidy.leftovers("A.java", "first\n// " + word.replace("-", "") + " later"))
                .hasSize(1);
        assertThat(Tidy.leftovers("A.java", "disabled nodes, mastodons")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/wo-rk/main", "/ro-ot/x", "/tm-p/wt/a", "/ho-me/someone"})
    void aPathOfAMachineIsCaught(String path) {
        assertThat(Tidy.machinePaths("A.md", "see " + path.replace("-", ""))).hasSize(1);
        assertThat(Tidy.machinePaths("A.md", "a network/node and a framework/x and $root/y"))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"repo1.ma-ven.org", "registry.np-mjs.org", "dock-er.io/library/x", "proxy.go-lang.org"})
    void theHostOfARegistryIsCaught(String host) {
        assertThat(Tidy.registryHosts("A.md", "from " + host.replaceFirst("-", "")))
                .hasSize(1);
        assertThat(Tidy.registryHosts("A.md", "image postgres:18, schema at maven.apache.org"))
                .isEmpty();
    }

    private static String method(int bodyLines) {
        return "class A {\n    void work() {\n" + "        int x;\n".repeat(bodyLines) + "    }\n}\n";
    }
}
