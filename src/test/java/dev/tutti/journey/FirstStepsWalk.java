package dev.tutti.journey;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tutti.boot.FirstSteps;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Types the four first lines and looks at each answer as a newcomer would. */
final class FirstStepsWalk {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int GPUS = 16;

    private final JsonMapper json = new JsonMapper();
    private final String base;
    private final String key;

    /** @param key API key; empty when none is needed */
    FirstStepsWalk(String base, String key) {
        this.base = base;
        this.key = key;
    }

    /** What the walk saw on its way. */
    record Seen(String job, List<JsonNode> members) {}

    /** Walks; {@code whileRunning} is called when the gang runs, before it is cancelled. */
    Seen walk(Consumer<Seen> whileRunning) throws Exception {
        List<String> lines = FirstSteps.lines(base, key.isEmpty() ? "" : "$TUTTI_API_KEY");
        try (Shell shell = new Shell(key.isEmpty() ? Map.of() : Map.of("TUTTI_API_KEY", key))) {
            shell.type(lines.get(0));
            await().atMost(PATIENCE)
                    .pollInterval(Duration.ofMillis(200))
                    .until(() -> stateOf(shell.type(lines.get(1))), "RUNNING"::equals);
            String job = json.readTree(shell.type(lines.get(1))).path("id").asString();
            Seen seen = new Seen(job, members(json.readTree(shell.type(lines.get(2)))));
            whileRunning.accept(seen);
            assertThat(stateOf(shell.type(lines.get(3)))).isIn("STOPPING", "CANCELLED");
            await().atMost(PATIENCE)
                    .pollInterval(Duration.ofMillis(200))
                    .until(() -> stateOf(shell.type(lines.get(1))), "CANCELLED"::equals);
            return seen;
        }
    }

    /** Sixteen GPUs, each known with its island, all nodes in one rack. */
    private static List<JsonNode> members(JsonNode allocation) {
        List<JsonNode> members = allocation.path("items").valueStream().toList();
        assertThat(members).hasSize(2);
        Set<String> racks = new HashSet<>();
        int gpus = 0;
        for (JsonNode member : members) {
            assertThat(member.path("node").asString()).isNotEmpty();
            racks.add(member.path("domains").path("rack").asString());
            for (JsonNode gpu : member.path("gpus")) {
                assertThat(gpu.has("index")).isTrue();
                assertThat(gpu.has("island")).isTrue();
                gpus++;
            }
        }
        assertThat(gpus).isEqualTo(GPUS);
        assertThat(racks).hasSize(1).doesNotContain("");
        return members;
    }

    private String stateOf(String answer) {
        return json.readTree(answer).path("state").asString();
    }
}
