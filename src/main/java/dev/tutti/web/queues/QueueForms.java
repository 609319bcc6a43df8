package dev.tutti.web.queues;

import dev.tutti.model.Names;
import dev.tutti.model.queue.QueueRules;
import dev.tutti.web.input.Fixed;
import dev.tutti.web.input.Texts;
import dev.tutti.web.input.Violations;
import dev.tutti.web.queues.LimitForms.UserLimits;
import dev.tutti.web.queues.QuotaForms.CpuQuota;
import dev.tutti.web.queues.QuotaForms.MemoryQuota;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.Arrays;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** What is sent to make or change a queue, and its rules. */
final class QueueForms {

    private static final int MOST_LEVELS = 8;
    /** Where jobs wait that name no queue. */
    private static final String FOR_ALL = "default";

    private QueueForms() {}

    /** A new queue. */
    @Schema(name = "QueueRequest", description = "A new queue. The queues above it are there already.")
    record QueueRequest(
            @Schema(description = "1 to 8 DNS labels joined by slashes.", example = "research/llm")
            String path,

            @Schema(
                    description = "What the queue, with all below it, can always get back, in thousandths of a GPU by"
                            + " flavor. Of a flavor that is not named it has no quota of its own.",
                    example = "{\"h100-sxm\": 64000}")
            @Nullable
            Map<String, Long> nominalMilli,

            @Schema(
                    description = "How far above its nominal quota it may go while others do not use theirs; a flavor"
                            + " that is not named borrows as much as others lend.",
                    example = "{\"h100-sxm\": 16000}")
            @Nullable
            Map<String, Long> borrowingLimitMilli,

            @Schema(
                    description = "How much of its nominal quota others may use while it does not; a flavor that is not"
                            + " named lends all of it, and so does a limit above the quota.",
                    example = "{\"h100-sxm\": 32000}")
            @Nullable
            Map<String, Long> lendingLimitMilli,

            @Schema(description = "Quotas of CPU; by the same rules.") @Nullable
            CpuQuota cpu,

            @Schema(description = "Quotas of memory; by the same rules.") @Nullable
            MemoryQuota memory,

            @Schema(description = "Whether nothing may start from it.", defaultValue = "false") @Nullable
            Boolean held,

            @Schema(
                    description = "Whether a job that cannot start keeps jobs behind it in the queue off the flavors it"
                            + " waits for.",
                    defaultValue = "false")
            @Nullable
            Boolean strict,

            @Schema(
                    description = "How much of a surplus it gets beside its siblings.",
                    minimum = "1",
                    maximum = "1000",
                    defaultValue = "1")
            @Nullable
            Integer fairShareWeight,

            @Schema(
                    description =
                            "How many jobs may wait (QUEUED or SUSPENDED) in it and in those below it; one more is"
                                    + " refused with 409. Jobs that come back after they ran are never refused. Absent: no limit."
                                    + " 0: it takes no jobs.",
                    minimum = "0",
                    maximum = "1000000",
                    example = "5000")
            @Nullable
            Integer maxWaitingJobs,

            @Schema(
                    description =
                            "How many jobs may hold something (bound, running or stopping) in it and in those below it;"
                                    + " further ones wait with RUNNING_JOBS_LIMIT. Absent: no limit. 0: nothing starts.",
                    minimum = "0",
                    maximum = "1000000",
                    example = "50")
            @Nullable
            Integer maxRunningJobs,

            @Schema(
                    description =
                            "How many whole nodes of each flavor the jobs in it and in those below it may hold at the"
                                    + " same time, 0 to 1000000. A pod counts as one whole node when it asks for as many"
                                    + " GPUs as the largest node of the flavor has: for 8 where nodes have 8. A smaller"
                                    + " pod counts for none, also where several fill a node. A gang counts as many as it"
                                    + " has such pods. What would take more waits with WHOLE_NODES_LIMIT. A flavor that"
                                    + " is not named has no limit; 0: no such pod starts. It is a bound and no quota:"
                                    + " nothing of it is promised, lent or borrowed, and each queue above keeps its own.",
                    example = "{\"h100-sxm\": 4}")
            @Nullable
            Map<String, Integer> maxWholeNodes,

            @Schema(description = "Limits for each user alone. Absent: none.") @Nullable
            UserLimits perUser) {

        QueueRules rules(Violations violations) {
            return rulesOf(QueueRules.PLAIN, held, strict, fairShareWeight, violations)
                    .withLimits(LimitForms.of(this, violations));
        }
    }

    /** A JSON Merge Patch. */
    @Schema(name = "QueuePatch", description = "JSON Merge Patch: what is named changes, null takes a limit away.")
    @Fixed({QueueRequest.class, QueueResponse.class})
    record QueuePatch(
            @Schema(
                    description =
                            "New quotas by flavor; null for a flavor takes its limit away, null for all takes all.",
                    implementation = Map.class,
                    example = "{\"h100-sxm\": 128000}")
            @Nullable
            JsonNode nominalMilli,

            @Schema(
                    description = "New borrowing limits by flavor; null for a flavor: as much as others lend.",
                    implementation = Map.class,
                    example = "{\"h100-sxm\": 16000}")
            @Nullable
            JsonNode borrowingLimitMilli,

            @Schema(
                    description = "New lending limits by flavor; null for a flavor: all of its quota.",
                    implementation = Map.class,
                    example = "{\"h100-sxm\": 32000}")
            @Nullable
            JsonNode lendingLimitMilli,

            @Schema(description = "New quotas of CPU; null takes all.", implementation = CpuQuota.class) @Nullable
            JsonNode cpu,

            @Schema(description = "New quotas of memory; null takes all.", implementation = MemoryQuota.class) @Nullable
            JsonNode memory,

            @Schema(description = "Whether nothing may start from it.", implementation = Boolean.class) @Nullable
            JsonNode held,

            @Schema(
                    description = "Whether a job that cannot start keeps jobs behind it off the flavors it waits for.",
                    implementation = Boolean.class)
            @Nullable
            JsonNode strict,

            @Schema(
                    description = "How much of a surplus it gets beside its siblings, 1 to 1000.",
                    implementation = Integer.class,
                    example = "1")
            @Nullable
            JsonNode fairShareWeight,

            @Schema(
                    description =
                            "Whether it takes no more jobs, here and below: submitting is refused with 409. What waits"
                                    + " goes on and starts in its turn (hold the queue too to keep it from starting), what runs goes"
                                    + " on. An empty queue can be removed.",
                    implementation = Boolean.class,
                    example = "false")
            @Nullable
            JsonNode draining,

            @Schema(
                    description = "How many jobs may wait in it and below, 0 to 1000000; null: no limit.",
                    implementation = Integer.class,
                    example = "5000")
            @Nullable
            JsonNode maxWaitingJobs,

            @Schema(
                    description = "How many jobs may hold something in it and below, 0 to 1000000; null: no limit. A"
                            + " lower one stops nothing: what runs goes on.",
                    implementation = Integer.class,
                    example = "50")
            @Nullable
            JsonNode maxRunningJobs,

            @Schema(
                    description =
                            "How many whole nodes may be held in it and below, by flavor, 0 to 1000000: pods with as"
                                    + " many GPUs as the largest node of the flavor has. null for a flavor: no limit of"
                                    + " it; null for all: none. Flavors that are not named keep theirs. A lower limit"
                                    + " stops nothing; ?dryRun=true tells in overLimits how far above it the queue is.",
                    implementation = Map.class,
                    example = "{\"h100-sxm\": 4}")
            @Nullable
            JsonNode maxWholeNodes,

            @Schema(description = "New limits for each user; null takes all.", implementation = UserLimits.class)
            @Nullable
            JsonNode perUser) {

        /** What it says of a quota of GPUs. */
        @Nullable
        JsonNode quota(String name) {
            return switch (name) {
                case "nominalMilli" -> nominalMilli;
                case "borrowingLimitMilli" -> borrowingLimitMilli;
                case "lendingLimitMilli" -> lendingLimitMilli;
                default -> throw new IllegalArgumentException(name);
            };
        }

        QueueRules merge(QueueRules before, Violations violations) {
            Boolean drains = flag("draining", draining, violations);
            return rulesOf(
                            before,
                            flag("held", held, violations),
                            flag("strict", strict, violations),
                            number("fairShareWeight", fairShareWeight, violations),
                            violations)
                    .withDraining(drains == null ? before.draining() : drains)
                    .withLimits(LimitForms.merge(before.limits(), this, violations));
        }
    }

    static void checkPath(String path, Violations violations) {
        String[] labels = path.split("/", -1);
        if (labels.length > MOST_LEVELS || !Arrays.stream(labels).allMatch(Names::isDnsLabel)) {
            violations.add(
                    "path", "give 1 to " + MOST_LEVELS + " names of a-z, 0-9 and inner dashes, joined by slashes");
        } else if (Names.isNumber(path)) {
            violations.add("path", "is a number, and would be read as an id; give a name with a letter");
        } else if (path.startsWith(FOR_ALL + "/")) {
            violations.add(
                    "path",
                    "is below \"" + FOR_ALL + "\", which takes the jobs that name no queue and so stays a leaf; give a"
                            + " path below another queue");
        }
    }

    private static QueueRules rulesOf(
            QueueRules before,
            @Nullable Boolean held,
            @Nullable Boolean strict,
            @Nullable Integer weight,
            Violations violations) {
        int weightAfter = weight == null ? before.fairShareWeight() : weight;
        if (weightAfter < 1 || weightAfter > QueueRules.MOST_WEIGHT) {
            violations.add(
                    "fairShareWeight",
                    "is " + weightAfter + "; give a whole number from 1 to " + QueueRules.MOST_WEIGHT);
            return before;
        }
        return new QueueRules(
                held == null ? before.held() : held,
                before.draining(),
                strict == null ? before.strict() : strict,
                weightAfter,
                before.limits());
    }

    private static @Nullable Boolean flag(String field, @Nullable JsonNode flag, Violations violations) {
        if (flag != null && !flag.isBoolean()) {
            violations.add(field, "is " + Texts.shown(flag) + "; give true or false");
        }
        return flag == null ? null : flag.asBoolean(false);
    }

    private static @Nullable Integer number(String field, @Nullable JsonNode number, Violations violations) {
        if (number == null) {
            return null;
        }
        if (!number.isIntegralNumber() || !number.canConvertToInt()) {
            violations.add(
                    field, "is " + Texts.shown(number) + "; give a whole number from 1 to " + QueueRules.MOST_WEIGHT);
            return null;
        }
        return number.intValue();
    }
}
