package dev.tutti.boot.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Document;

/** The command {@code experiment openb} on a small made trace. */
class OpenbExperimentTest {

    @TempDir
    Path folder;

    private Path nodes;
    private Path pods;

    @BeforeEach
    void write() throws IOException {
        nodes = folder.resolve("nodes.csv");
        pods = folder.resolve("small.csv");
        StringBuilder fleet = new StringBuilder("sn,cpu_milli,memory_mib,gpu,model\n");
        for (int i = 0; i < 20; i++) {
            fleet.append("node-").append(i).append(i % 2 == 0 ? ",96000,393216,8,V100M32\n" : ",64000,262144,4,T4\n");
        }
        Files.writeString(nodes, fleet);
        StringBuilder asked = new StringBuilder("name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec\n");
        for (int i = 0; i < 100; i++) {
            asked.append("pod-").append(i).append(pod(i)).append('\n');
        }
        Files.writeString(pods, asked);
    }

    private static String pod(int i) {
        return switch (i % 5) {
            case 0 -> ",4000,8192,1,460,";
            case 1 -> ",8000,16384,1,1000,T4";
            case 2 -> ",16000,65536,2,1000,V100M32|T4";
            case 3 -> ",2000,4096,0,,";
            default -> i % 20 == 4 ? ",32000,131072,8,1000,V100M32" : ",4000,8192,1,810,";
        };
    }

    private Typed openb(String... more) {
        List<String> arguments = new ArrayList<>(List.of("experiment", "openb", "--nodes=" + nodes, "--pods=" + pods));
        arguments.addAll(List.of(more));
        return Typed.command(arguments.toArray(String[]::new));
    }

    @Test
    void allPoliciesPlayAndTheLastLineIsTheDefaultsAllocation() {
        Typed typed = openb("--seeds=1-3");

        assertThat(typed.exitCode()).as(typed.error()).isZero();
        assertThat(typed.text())
                .contains("20 nodes with 120 GPUs", "100 pods that ask for", "3 runs (seeds 1-3)", "pods/s");
        assertThat(typed.lines())
                .filteredOn(line -> line.matches(" (shadow-price|best-fit|fragmentation|spread|random) .*"))
                .hasSize(5 * 4);
        assertThat(typed.lastLine()).matches("[0-9]{2}\\.[0-9]{2}");
        String first = typed.lines().stream()
                .filter(line -> line.startsWith(" shadow-price"))
                .findFirst()
                .orElseThrow();
        assertThat(first).contains("   " + typed.lastLine() + " ±");
    }

    @Test
    void theLastLineNamesTheShareOfTheGpusThatIsNotIdle() {
        Typed typed = openb("--seeds=7", "--policy=random");
        String[] cells = typed.lines().stream()
                .filter(line -> line.startsWith(" shadow-price"))
                .findFirst()
                .orElseThrow()
                .trim()
                .split(" {2,}");
        double idle = Double.parseDouble(cells[cells.length - 1]);
        assertThat(Double.parseDouble(typed.lastLine()))
                .isBetween(100 - 100 * (idle + 1.1) / 120, 100 - 100 * (idle - 1.1) / 120);
    }

    @Test
    void theDefaultPolicyIsAlwaysPlayedAndEachPolicyOnce() {
        Typed typed = openb("--seeds=1", "--policy=random,shadow-price");

        assertThat(typed.lines())
                .filteredOn(line -> line.startsWith(" shadow-price"))
                .hasSize(4);
        assertThat(typed.lines()).filteredOn(line -> line.startsWith(" random")).hasSize(4);
        assertThat(typed.text()).doesNotContain("best-fit");
    }

    @Test
    void whileAllFitsNobodyIsRefusedAndAllIsAllocated() {
        Typed typed = openb("--seeds=1-2", "--percent=40", "--policy=best-fit");

        assertThat(Double.parseDouble(typed.lastLine())).isBetween(35.0, 40.0);
        assertThat(typed.text()).doesNotContain(" 60 ");
        List<String> refusals = typed.lines()
                .subList(
                        typed.lines().indexOf("pods refused in a run, by GPUs") + 2,
                        typed.lines().size());
        assertThat(refusals.get(0)).matches(" shadow-price( +0\\.0)+");
    }

    @Test
    void thePictureIsWellFormedAndHasALineAndALabelForEachPolicy() throws Exception {
        Path svg = folder.resolve("curve.svg");
        Path published = Files.writeString(folder.resolve("published.csv"), published("small"));
        Typed typed = openb("--seeds=1", "--svg=" + svg, "--published=" + published);

        assertThat(typed.exitCode()).as(typed.error()).isZero();
        assertThat(typed.text()).contains("FGD, published").contains("83.00");
        Document picture = parse(svg);
        assertThat(picture.getDocumentElement().getNodeName()).isEqualTo("svg");
        String text = picture.getDocumentElement().getTextContent();
        assertThat(text)
                .contains("shadow-price", "best-fit", "fragmentation", "spread", "random", "FGD, published 83.00");
        assertThat(text).contains("prefers-color-scheme:dark");
        assertThat(Files.readString(svg))
                .containsPattern("class=\"line look2 dashed\"")
                .doesNotContain("NaN");
    }

    private static Document parse(Path svg) throws Exception {
        try (InputStream in = Files.newInputStream(svg)) {
            return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(in);
        }
    }

    private static String published(String workload) {
        StringBuilder csv = new StringBuilder("workload,sc_policy,tune,seed,total_gpus");
        StringBuilder row = new StringBuilder(workload + ",06-FGD,1.3,42,120");
        for (int percent = 0; percent <= 130; percent++) {
            csv.append(',').append(percent);
            row.append(',').append(Math.min(percent, 83));
        }
        return csv.append('\n').append(row).append('\n').toString();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "--seeds=;names no seeds",
                "--seeds=a;names no seeds",
                "--seeds=51-42;names no seeds",
                "--seeds=-5;names no seeds",
                "--seeds=1-5000;more than 1000 seeds",
                "--seeds=1,1;the seed 1 twice",
                "--seeds=1-3,2;the seed 2 twice",
                "--policy=;give some of shadow-price,best-fit",
                "--policy=random,random;a policy twice",
                "--svg=/proc/tutti.svg;a folder that exists",
                "--policy=bestfit;give some of shadow-price,best-fit",
                "--percent=0;a whole number from 1 to 1000",
                "--percent=1001;a whole number from 1 to 1000",
                "--percent=many;a whole number from 1 to 1000",
                "--svg=missing/folder/a.svg;a folder that exists",
                "--published=missing.csv;name a file that can",
            })
    void whatMakesNoSenseIsNamedWithItsRemedy(String option, String remedy) {
        assertRefused(openb(option), option.split("=")[0], remedy);
    }

    @Test
    void missingFilesAndOptionsAreNamed() {
        assertRefused(Typed.command("experiment", "openb", "--nodes=" + nodes), "--pods", "required");
        assertRefused(
                Typed.command("experiment", "openb", "--nodes=" + nodes, "--pods=gone.csv"), "--pods", "gone.csv");
        assertRefused(
                Typed.command("experiment", "openb", "--nodes=gone.csv", "--pods=" + pods), "--nodes", "gone.csv");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"a,1,1,1", "a,x,1,1,500", "a,1,1,1,0", "a,1,1,1,1001", "a,1,1,2,500", "a,1,1,-1,", ",1,1,1,500"})
    void aLineThatIsNoPodIsNamedByItsNumber(String line) throws IOException {
        Files.writeString(pods, "name,cpu_milli,memory_mib,num_gpu,gpu_milli\nb,1,1,1,1000\n" + line + "\n");
        assertRefused(openb(), "--pods", "small.csv, line 3: ");
    }

    @Test
    void podsThatAskForNoGpusNeverFillAFleet() throws IOException {
        Files.writeString(pods, "name,cpu_milli,memory_mib,num_gpu,gpu_milli\na,1,1,0,\n");
        assertRefused(openb(), "--pods", "ask for so few GPUs");
    }

    @Test
    void nodesWithoutGpusAndPublishedResultsOfOthersAreRefused() throws IOException {
        Path published = Files.writeString(folder.resolve("published.csv"), published("large"));
        assertRefused(openb("--published=" + published), "--published", "knows nothing of the workload small");
        Files.writeString(published, published("small").replace("83,83", "83,8x"));
        assertRefused(openb("--published=" + published), "--published", "line 2: column 84 is \"8x\"");
        Files.writeString(nodes, "sn,cpu_milli,memory_mib,gpu,model\nn1,1000,1000,0,\n");
        assertRefused(openb(), "--nodes", "give nodes with GPUs");
    }

    private static void assertRefused(Typed typed, String option, String remedy) {
        assertThat(typed.exitCode()).isEqualTo(2);
        assertThat(typed.error()).contains(option, remedy).doesNotContain("Exception", "\tat ");
        assertThat(typed.error().lines()).hasSizeLessThanOrEqualTo(2);
        assertThat(typed.lines()).isEmpty();
    }
}
