package dev.tutti.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.model.InvalidInput;
import dev.tutti.web.input.FormReader;
import dev.tutti.web.input.JsonTree;
import dev.tutti.web.input.MalformedBody;
import dev.tutti.web.input.Violations;
import dev.tutti.web.input.YamlTree;
import dev.tutti.web.jobs.form.JobReader;
import dev.tutti.web.jobs.form.JobRequest;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import tools.jackson.databind.JsonNode;

/** Whatever a caller sends, reading it ends in a job or in a refusal that the caller can understand, never otherwise. */
class FuzzTest {

    private static final List<String> ODD = List.of(
            "null",
            "-1",
            "1e999999",
            "9223372036854775808",
            "NaN",
            "\"\"",
            "\"\\u0000\"",
            "\"\\ud800\"",
            "[]",
            "{}",
            "true",
            "0.1",
            "\"" + "x".repeat(400) + "\"",
            "[[[[]]]]",
            "-0",
            "&a",
            "*a",
            "!!x",
            ": :",
            "---\n",
            "{\"a\":{}}",
            "\t",
            "?");

    private static final String JOB = """
            {"name": "n", "queue": "q", "lane": "red", "priority": 3, "podSets": [{"name": "w", "count": 2, "minCount": 1,
             "gpusPerPod": 8, "flavors": ["h100"], "cpuMilli": 5, "memoryMib": 6, "template": {"image": "i",
             "command": ["a"], "args": ["b"], "env": {"A": "b"}}}], "topology": {"required": "rack"},
             "expectedRuntimeSeconds": 9, "preemption": {"graceSeconds": 3}, "retry": {"maxFailures": 1},
             "labels": {"a": "b"}}""";

    @Property(tries = 3_000)
    void mutatedJobsAreReadOrRefused(@ForAll long seed) {
        byte[] body = mutated(seed);

        for (boolean yaml : new boolean[] {false, true}) {
            try {
                JsonNode tree = yaml ? YamlTree.parse(body) : JsonTree.parse(body);
                JobRequest request = FormReader.read(tree, JobRequest.class);
                Violations violations = new Violations();
                boolean read = JobReader.read(request, "", violations) != null;
                assertThat(read).isEqualTo(violations.isEmpty());
            } catch (MalformedBody refused) {
                assertThat(refused.violation().message()).isNotBlank();
            } catch (InvalidInput refused) {
                assertThat(refused.violations()).isNotEmpty();
            }
        }
    }

    @Property(tries = 500)
    void anyBytesAreReadOrRefused(@ForAll byte[] body) {
        for (boolean yaml : new boolean[] {false, true}) {
            try {
                assertThat(yaml ? YamlTree.parse(body) : JsonTree.parse(body)).isNotNull();
            } catch (MalformedBody refused) {
                assertThat(refused.violation().message()).isNotBlank();
            }
        }
    }

    /** Replaces, drops or doubles a few pieces of a good job. */
    static byte[] mutated(long seed) {
        Random random = new Random(seed);
        StringBuilder text = new StringBuilder(JOB);
        for (int i = 1 + random.nextInt(3); i > 0; i--) {
            int from = random.nextInt(text.length());
            int to = Math.min(text.length(), from + random.nextInt(12));
            String piece = random.nextBoolean()
                    ? ODD.get(random.nextInt(ODD.size()))
                    : text.substring(from, to).repeat(2);
            int colon = text.indexOf(": ", from);
            if (random.nextBoolean() && colon > 0) {
                from = colon + 2;
                int end = from;
                while (end < text.length() && ",]}".indexOf(text.charAt(end)) < 0) {
                    end++;
                }
                to = end;
            }
            text.replace(from, to, piece);
        }
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }
}
