package dev.tutti.boot;

import java.util.List;

/** The four lines a newcomer types first. The start prints them, the README shows them, and a test runs them. */
public final class FirstSteps {

    private FirstSteps() {}

    /**
     * The lines, to be run in one shell, in order.
     *
     * @param base such as {@code http://localhost:8080}
     * @param key the API key to send; empty when the service needs none
     */
    public static List<String> lines(String base, String key) {
        String curl = key.isEmpty() ? "curl -s" : "curl -s -H \"Authorization: Bearer " + key + "\"";
        String jobs = base + "/api/v1/jobs";
        return List.of(
                "JOB=$(" + curl + " " + jobs + " -H 'Content-Type: application/json' -d '{\"name\": \"hello\","
                        + " \"podSets\": [{\"count\": 2, \"gpusPerPod\": 8, \"template\": {\"image\": \"hello\"}}],"
                        + " \"topology\": {\"required\": \"rack\"}, \"expectedRuntimeSeconds\": 600}'"
                        + " | sed 's/.*\"id\":\"\\([^\"]*\\)\".*/\\1/')",
                curl + " " + jobs + "/$JOB",
                curl + " " + jobs + "/$JOB/allocation",
                curl + " -X POST " + jobs + "/${JOB}:cancel");
    }
}
