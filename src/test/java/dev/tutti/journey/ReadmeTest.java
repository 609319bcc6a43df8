package dev.tutti.journey;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the README and the pages beside it show works as shown, and leads somewhere. */
class ReadmeTest {

    private static final Pattern BLOCK = Pattern.compile("```sh\n(.*?)\n```", Pattern.DOTALL);
    private static final Pattern LINK = Pattern.compile("]\\((?!https?:|#)([^)#]+)");

    @TempDir
    Path data;

    @Test
    void theLinesOfSubmitAndWatchAnswerWhatTheTextPromises() throws Exception {
        List<String> blocks = blocks("## Submit and watch");
        assertThat(blocks).hasSize(8);
        try (RunningService service = new RunningService(data);
                Shell shell = new Shell(Map.of())) {
            List<String> lines = blocks.stream()
                    .map(block -> block.replace("http://localhost:8080", service.base()))
                    .toList();
            await().atMost(Duration.ofSeconds(60))
                    .untilAsserted(() -> assertThat(shell.type(lines.get(0))).contains("\"h100-sxm\"", "\"rack\""));
            assertThat(shell.type(lines.get(1))).contains("\"path\":\"research\"", "\"h100-sxm\":16000");
            String train = shell.type(lines.get(2));
            assertThat(train).contains("\"href\"", "\"understood\"", "\"ignored\"");
            String href = train.replaceAll("(?s).*\"href\":\"([^\"]*)\".*", "$1");
            await().atMost(Duration.ofSeconds(30))
                    .untilAsserted(() -> assertThat(shell.type("curl -s " + service.base() + href))
                            .as("a green job starts on what its queue was promised")
                            .containsAnyOf("\"ALLOCATED\"", "\"RUNNING\""));
            assertThat(shell.type(lines.get(3)))
                    .contains("\"couldEverRun\":false", "\"wanted\":24000", "\"available\":16000");
            assertThat(shell.type(lines.get(4))).contains("\"fitsNow\":true");
            assertThat(shell.type(lines.get(5))).contains("\"fitsNow\":true", "\"gpuMilli\":875");
            assertThat(shell.type(lines.get(6))).contains("\"items\":[").doesNotContain("\"big\"");
            assertThat(shell.type("timeout 3 " + lines.get(7) + " || true")).contains(":tutti");
        }
    }

    @Test
    void theLinesOfTwoQueuesLendAndReclaim() throws Exception {
        List<String> blocks = blocks("## Two queues that lend and reclaim");
        assertThat(blocks).hasSize(1);
        try (RunningService service = new RunningService(data);
                Shell shell = new Shell(Map.of())) {
            List<String> lines = blocks.get(0)
                    .replace("http://localhost:8080", service.base())
                    .lines()
                    .toList();
            assertThat(lines).hasSize(10);
            shows(shell, "curl -s " + service.base() + "/api/v1/flavors", "a100-sxm-80g");
            String tools = String.join("\n", lines.subList(0, 4)) + "\n";
            assertThat(shell.type(tools + lines.get(4))).contains("\"team/lab\"", "\"team/shop\"");
            shell.type(tools + lines.get(5));
            shows(shell, tools + lines.get(6), "name:second state:RUNNING", "name:first state:RUNNING");
            shell.type(tools + lines.get(7));
            shows(shell, tools + lines.get(8), "name:third state:RUNNING");
            shows(
                    shell,
                    tools + lines.get(9),
                    "name:second state:QUEUED code:WAITING_FOR_QUOTA",
                    "first state:RUNNING");
        }
    }

    private static void shows(Shell shell, String line, String... expected) {
        await().atMost(Duration.ofSeconds(30))
                .untilAsserted(() -> assertThat(shell.type(line)).contains(expected));
    }

    @Test
    void theLinesOfKeysAndRolesMakeShowAndRevokeAKey() throws Exception {
        List<String> blocks = blocks("## Keys and roles");
        assertThat(blocks).hasSize(2);
        String first = "a-first-key-that-nobody-would-guess-0123456789";
        try (RunningService service = new RunningService(data, "--tutti.api-key=" + first);
                Shell shell = new Shell(Map.of("TUTTI_API_KEY", first))) {
            List<String> lines = Stream.concat(
                            Stream.of(blocks.get(0)), blocks.get(1).lines())
                    .map(line -> line.replace("http://localhost:8080", service.base()))
                    .toList();
            String made = shell.type(lines.get(0));
            assertThat(made).contains("\"name\":\"nightly\"", "\"role\":\"submitter\"", "\"key\":\"tutti_");
            assertThat(shell.type(lines.get(1))).contains("\"first-administrator\"", "\"nightly\"");
            String key = made.replaceAll(".*\"key\":\"([^\"]*)\".*", "$1");
            String jobs = "curl -s " + service.base() + "/api/v1/jobs -H 'Authorization: Bearer " + key + "'";
            assertThat(shell.type(jobs)).contains("\"items\"");
            assertThat(shell.type(lines.get(2))).isEmpty();
            assertThat(shell.type(jobs)).contains("UNAUTHENTICATED");
        }
    }

    @Test
    void everyLinkBetweenThePagesLeadsToAFile() throws Exception {
        try (Stream<Path> docs = Files.walk(Path.of("docs"))) {
            List<Path> pages = Stream.concat(Stream.of(Path.of("README.md")), docs)
                    .filter(page -> page.toString().endsWith(".md"))
                    .toList();
            assertThat(pages).hasSizeGreaterThan(5);
            for (Path page : pages) {
                assertThat(links(page)).allSatisfy(target -> assertThat(target).exists());
            }
        }
    }

    private static List<Path> links(Path page) throws Exception {
        return LINK.matcher(Files.readString(page))
                .results()
                .map(link -> page.resolveSibling(link.group(1)).normalize())
                .toList();
    }

    private static List<String> blocks(String heading) throws Exception {
        String section = Files.readString(Path.of("README.md"))
                .split(heading + "\n", 2)[1]
                .split("\n## ", 2)[0];
        return BLOCK.matcher(section).results().map(block -> block.group(1)).toList();
    }
}
