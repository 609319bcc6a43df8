package dev.tutti.web;

import static dev.tutti.web.BadPodSets.bad;

import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;

/** Jobs that callers get wrong. */
final class BadBodies {

    private BadBodies() {}

    /** Each with the field that the answer must name. */
    static Stream<Arguments> all() {
        return Stream.of(BadPodSets.all(), topology(), ofTheJob()).flatMap(all -> all);
    }

    private static Stream<Arguments> topology() {
        return Stream.of(
                ofSet("{\"required\": \"planet\"}", "podSets[0].topology.required"),
                ofSet("{\"preferred\": \"planet\"}", "podSets[0].topology.preferred"),
                ofSet("{\"required\": 1}", "podSets[0].topology.required"),
                ofSet("{\"requierd\": \"rack\"}", "podSets[0].topology.requierd"),
                ofSet("{\"segment\": {\"pods\": 3, \"level\": \"planet\"}}", "podSets[0].topology.segment.level"),
                ofSet("{\"segment\": {\"pods\": 3}}", "podSets[0].topology.segment.level"),
                ofSet("{\"segment\": {\"level\": \"rack\"}}", "podSets[0].topology.segment.pods"),
                ofSet("{\"segment\": {\"pods\": 0, \"level\": \"rack\"}}", "podSets[0].topology.segment.pods"),
                ofSet("{\"segment\": {\"pods\": -2, \"level\": \"rack\"}}", "podSets[0].topology.segment.pods"),
                ofSet("{\"segment\": {\"pods\": 20001, \"level\": \"rack\"}}", "podSets[0].topology.segment.pods"),
                ofSet("{\"segment\": {\"pods\": 4, \"level\": \"rack\"}}", "podSets[0].topology.segment.pods"),
                bad(
                        "\"count\": 6, \"minCount\": 2, \"topology\": {\"segment\": {\"pods\": 3, \"level\": \"rack\"}},",
                        "podSets[0].topology.segment.pods"),
                ofSet(
                        "{\"required\": \"rack\", \"segment\": {\"pods\": 3, \"level\": \"zone\"}}",
                        "podSets[0].topology.segment.level"),
                Arguments.of(
                        Json.podSet("\"count\": 6, \"topology\": {\"required\": \"zone\"},")
                                .replaceFirst("\"podSets\"", "\"topology\": {\"required\": \"rack\"}, \"podSets\""),
                        "podSets[0].topology.required"));
    }

    private static Arguments ofTerms(String lane, String terms, String field) {
        return Arguments.of(Json.job("x", "\"lane\": \"" + lane + "\", \"preemption\": {" + terms + "},"), field);
    }

    private static Stream<Arguments> ofTheJob() {
        return Stream.of(
                Arguments.of(Json.job("x", "\"queue\": \"../x\","), "queue"),
                Arguments.of(Json.job("x", "\"queue\": \"research\","), "queue"),
                Arguments.of(Json.job("x", "\"queue\": \"a\\u0000b\","), "queue"),
                Arguments.of(Json.job("x", "\"lane\": \"purple\","), "lane"),
                Arguments.of(Json.job("x", "\"lane\": \"GREEN\","), "lane"),
                Arguments.of(Json.job("x", "\"priority\": 1000001,"), "priority"),
                Arguments.of(Json.job("x", "\"topology\": {\"required\": \"planet\"},"), "topology.required"),
                Arguments.of(Json.job("x", "\"topology\": {\"prefered\": \"rack\"},"), "topology.prefered"),
                Arguments.of(Json.job("x", "\"expectedRuntimeSeconds\": 0,"), "expectedRuntimeSeconds"),
                Arguments.of(Json.job("x", "\"preemption\": {\"graceSeconds\": 3601},"), "preemption.graceSeconds"),
                ofTerms("yellow", "\"preemptible\": false", "preemption.preemptible"),
                ofTerms("green", "\"checkpointIntervalSeconds\": 0", "preemption.checkpointIntervalSeconds"),
                ofTerms(
                        "green",
                        "\"disruptionBudget\": {\"evictions\": 0, \"perSeconds\": 60}",
                        "preemption.disruptionBudget.evictions"),
                ofTerms(
                        "green",
                        "\"disruptionBudget\": {\"evictions\": 1, \"perSeconds\": 86401}",
                        "preemption.disruptionBudget.perSeconds"),
                ofTerms("green", "\"disruptionBudget\": {\"evictions\": 1}", "preemption.disruptionBudget.perSeconds"),
                ofTerms(
                        "red",
                        "\"disruptionBudget\": {\"evictions\": 1, \"perSeconds\": 60}",
                        "preemption.disruptionBudget"),
                Arguments.of(Json.job("x", "\"retry\": {\"maxFailures\": -1},"), "retry.maxFailures"),
                Arguments.of(Json.job("x", "\"labels\": {\"a\": 1},"), "labels.a"),
                Arguments.of(Json.job("x", "\"labels\": {\"a\": \"\\ud800\"},"), "labels.a"),
                Arguments.of(Json.job("x", "\"podsets\": [],"), "podsets"),
                Arguments.of(Json.job("x", "\"maxRuntime\": 5,"), "maxRuntime"),
                Arguments.of(Json.job("x", "\"maxRuntimeSeconds\": 0,"), "maxRuntimeSeconds"),
                Arguments.of(Json.job("x", "\"maxRuntimeSeconds\": 315360001,"), "maxRuntimeSeconds"),
                Arguments.of(Json.job("x", "\"maxRuntimeSeconds\": 1.5,"), "maxRuntimeSeconds"),
                Arguments.of(Json.job("x", "\"maxQueueSeconds\": -1,"), "maxQueueSeconds"),
                Arguments.of(Json.job("x", "\"fallbackAfterSeconds\": -1,"), "fallbackAfterSeconds"),
                Arguments.of(Json.job("x", "\"fallbackAfterSeconds\": 2678401,"), "fallbackAfterSeconds"),
                Arguments.of(Json.job("x", "\"readyTimeoutSeconds\": 0,"), "readyTimeoutSeconds"),
                Arguments.of(Json.job("x", "\"readyTimeoutSeconds\": 86401,"), "readyTimeoutSeconds"),
                Arguments.of(Json.job("x", "\"suspended\": \"yes\","), "suspended"),
                Arguments.of(Json.job("x", "\"deadline\": 1790000000,"), "deadline"),
                Arguments.of(Json.job("x", "\"deadline\": \"\","), "deadline"),
                Arguments.of(Json.job("x", "\"deadline\": \"tomorrow\","), "deadline"),
                Arguments.of(Json.job("x", "\"deadline\": \"2096-12-24T18:00:00\","), "deadline"),
                Arguments.of(Json.job("x", "\"deadline\": \"2096-02-30T18:00:00Z\","), "deadline"),
                Arguments.of(Json.job("x", "\"deadline\": \"2096-02-01T18:00Z\","), "deadline"),
                Arguments.of(Json.job("x", "\"deadline\": \"2096-02-01T18:00:00+01\","), "deadline"),
                Arguments.of(Json.job("x", "\"deadline\": \"2096-02-01T25:00:00Z\","), "deadline"),
                Arguments.of(Json.job("x", "\"deadline\": \"2096-02-01T12:00:00+19:00\","), "deadline"),
                Arguments.of(Json.job("x", "\"deadline\": \"9999-12-31T23:59:59-18:00x\","), "deadline"),
                Arguments.of(Json.job("x", "\"deadline\": \"2001-01-01T00:00:00Z\","), "deadline"),
                Arguments.of(Json.job("a\\u0000b"), "name"),
                Arguments.of(Json.job("a\\u0007b"), "name"),
                Arguments.of(Json.job("n".repeat(300)), "name"),
                Arguments.of(Json.job(""), "name"),
                Arguments.of("{\"name\": \"x\"}", "podSets"),
                Arguments.of("{\"name\": \"x\", \"podSets\": []}", "podSets"),
                Arguments.of("{\"name\": \"x\", \"podSets\": [{\"count\": 1}]}", "podSets[0].template"),
                Arguments.of("{\"name\": \"x\", \"podSets\": [1]}", "podSets[0]"),
                Arguments.of("[]", ""),
                Arguments.of("null", ""),
                Arguments.of("7", ""));
    }

    private static Arguments ofSet(String topology, String field) {
        return bad("\"count\": 6, \"topology\": " + topology + ",", field);
    }
}
