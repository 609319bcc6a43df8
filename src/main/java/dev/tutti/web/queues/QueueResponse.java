package dev.tutti.web.queues;

import dev.tutti.control.read.QueueQueries.QueueView;
import dev.tutti.model.queue.Quota;
import dev.tutti.model.queue.QuotaResource;
import dev.tutti.model.queue.Use;
import dev.tutti.web.queues.LimitForms.UserLimits;
import dev.tutti.web.queues.QuotaForms.CpuQuota;
import dev.tutti.web.queues.QuotaForms.MemoryQuota;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** One queue. */
@Schema(name = "Queue", description = "Where jobs wait. Queues form a tree; jobs wait only in leaves.")
record QueueResponse(
        @Schema(description = "Opaque.") String id,
        @Schema(example = "research/llm") String path,

        @Schema(description = "Id of the queue above it; absent at the top.") @Nullable
        String parentId,

        @Schema(description = "Whether jobs can wait in it.")
        boolean leaf,

        @Schema(description = "Whether nothing may start from it.")
        boolean held,

        @Schema(description = "Whether it takes no more jobs; what waits and what runs goes on.")
        boolean draining,

        @Schema(
                description = "Whether a job that cannot start keeps jobs behind it in the queue off the flavors it"
                        + " waits for.")
        boolean strict,

        @Schema(description = "How much of a surplus it gets beside its siblings, 1 to 1000.", example = "1")
        int fairShareWeight,

        @Schema(
                description = "What it, with all queues below it, can always get back, in thousandths of a GPU by"
                        + " flavor. Of a flavor that is not named it has no quota of its own.",
                example = "{\"h100-sxm\": 64000}")
        Map<String, Long> nominalMilli,

        @Schema(
                description = "How far above its nominal quota it may go; a flavor that is not named borrows as much as"
                        + " others lend.",
                example = "{\"h100-sxm\": 16000}")
        Map<String, Long> borrowingLimitMilli,

        @Schema(
                description =
                        "How much of its nominal quota others may use; a flavor that is not named lends all of it.",
                example = "{\"h100-sxm\": 32000}")
        Map<String, Long> lendingLimitMilli,

        @Schema(description = "In use, in all lanes, with all queues below.", example = "{\"h100-sxm\": 16000}")
        Map<String, Long> usedMilli,

        @Schema(
                description = "Of what green and yellow jobs use, the part above the nominal quota: its owners may take"
                        + " it back.",
                example = "{\"h100-sxm\": 0}")
        Map<String, Long> borrowedMilli,

        @Schema(
                description =
                        "What green and yellow jobs held above the nominal quota on average lately, as the largest part"
                                + " of any resource, in millionths of all there is. Long ago counts less: see the half-life of the"
                                + " service. What it holds now and this count for its turn.",
                example = "62500")
        long pastSurplusMillionths,

        @Schema(
                description = "The same of all that red jobs held, which counts for the turns of red jobs.",
                example = "0")
        long pastRedMillionths,

        @Schema(description = "Its quotas of CPU.") CpuQuota cpu,

        @Schema(description = "CPU in use, in thousandths of a core.", example = "{\"h100-sxm\": 96000}")
        Map<String, Long> usedCpuMilli,

        @Schema(description = "Its quotas of memory.") MemoryQuota memory,

        @Schema(description = "Memory in use, in MiB.", example = "{\"h100-sxm\": 524288}")
        Map<String, Long> usedMemoryMib,

        @Schema(description = "How many jobs may wait in it and below; absent: no limit.") @Nullable
        Integer maxWaitingJobs,

        @Schema(description = "How many jobs may hold something in it and below; absent: no limit.") @Nullable
        Integer maxRunningJobs,

        @Schema(
                description =
                        "How many whole nodes may be held in it and below, by flavor: pods with as many GPUs as the"
                                + " largest node of the flavor has. A flavor that is not named has no limit.",
                example = "{\"h100-sxm\": 4}")
        Map<String, Integer> maxWholeNodes,

        @Schema(
                description = "How many whole nodes are held in it and below, of each flavor that it limits.",
                example = "{\"h100-sxm\": 3}")
        Map<String, Integer> usedWholeNodes,

        @Schema(description = "Limits for each user alone; what is absent has none.")
        UserLimits perUser,

        @Schema(description = "Jobs that wait.") long waiting,

        @Schema(
                description = "Jobs that hold something: bound, running or stopping, in it and below. What"
                        + " maxRunningJobs counts.")
        long running,

        @Schema(description = "What one user has here, of each the user who has most. What perUser counts.")
        UserUse mostOfOneUser) {

    /** What one user has. */
    @Schema(name = "UserUse", description = "What one user has in a queue and those below it.")
    record UserUse(
            @Schema(description = "Jobs that hold something.")
            long runningJobs,

            @Schema(description = "Thousandths of a GPU that they hold.", example = "8000")
            long gpuMilli) {}

    static QueueResponse of(QueueView queue) {
        QuotaForm quotas = QuotaForm.of(QuotaResource.GPU_MILLI, queue.quotas());
        return new QueueResponse(
                Long.toString(queue.id()),
                queue.path(),
                queue.parent() == null ? null : queue.parent().toString(),
                queue.leaf(),
                queue.rules().held(),
                queue.rules().draining(),
                queue.rules().strict(),
                queue.rules().fairShareWeight(),
                quotas.nominal(),
                quotas.borrowingLimit(),
                quotas.lendingLimit(),
                used(queue, QuotaResource.GPU_MILLI, (key, use) -> use.total()),
                used(
                        queue,
                        QuotaResource.GPU_MILLI,
                        (key, use) -> quotas.nominal().containsKey(key)
                                ? Math.max(0, use.counted() - quotas.nominal().get(key))
                                : 0),
                queue.past().surplusMillionths(),
                queue.past().redMillionths(),
                CpuQuota.of(queue.quotas()),
                used(queue, QuotaResource.CPU_MILLI, (key, use) -> use.total()),
                MemoryQuota.of(queue.quotas()),
                used(queue, QuotaResource.MEMORY_MIB, (key, use) -> use.total()),
                queue.rules().limits().maxWaitingJobs(),
                queue.rules().limits().maxRunningJobs(),
                new TreeMap<>(queue.rules().limits().maxWholeNodes()),
                usedWholeNodes(queue),
                UserLimits.of(queue.rules().limits()),
                queue.waiting(),
                queue.running(),
                new UserUse(queue.limitUse().userJobs(), queue.limitUse().userGpuMilli()));
    }

    /** By flavor, what the rule makes of what is in use; 0 where it has a quota and uses nothing. */
    private static Map<String, Long> used(QueueView queue, QuotaResource resource, BiFunction<String, Use, Long> rule) {
        Map<String, Long> amounts = new TreeMap<>();
        queue.quotas().amounts(resource, Quota::nominal).keySet().forEach(key -> amounts.put(key, 0L));
        queue.used().forEach((key, use) -> {
            if (key.resource() == resource) {
                amounts.put(key.flavor(), rule.apply(key.flavor(), use));
            }
        });
        return amounts;
    }

    private static Map<String, Integer> usedWholeNodes(QueueView queue) {
        Map<String, Integer> used = new TreeMap<>();
        queue.rules()
                .limits()
                .maxWholeNodes()
                .keySet()
                .forEach(
                        flavor -> used.put(flavor, queue.limitUse().wholeNodes().getOrDefault(flavor, 0)));
        return used;
    }
}
