package dev.tutti.web.jobs.form;

import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A job as it is asked for. Defaults are {@link JobReader}'s, ranges the model's. */
@Schema(
        description =
                "A job as it is asked for. All pods of all sets are placed together or not at all, and start together unless a set says startAfter.")
public record JobRequest(
        @Schema(
                description = "Free text of 1 to 128 characters without control characters; need not be unique.",
                example = "llm-pretrain")
        String name,

        @Schema(description = "Id or path of a leaf queue.", example = "default", defaultValue = "default") @Nullable
        String queue,

        @Schema(
                description = "Lane: considered in the order green, yellow, red.",
                allowableValues = {"green", "yellow", "red"},
                defaultValue = "yellow")
        @Nullable
        String lane,

        @Schema(
                description = "Priority within the lane; higher is stronger.",
                minimum = "-1000000",
                maximum = "1000000",
                defaultValue = "0")
        @Nullable
        Integer priority,

        @Schema(description = "1 to 16 sets of equal pods.") List<PodSetRequest> podSets,
        @Nullable TopologyForm topology,

        @Schema(
                description = "How long it will run, as far as is known. Simulated pods end after it.",
                minimum = "1",
                maximum = "315360000",
                example = "3600")
        @Nullable
        Integer expectedRuntimeSeconds,

        @Schema(
                description = "How long it may be RUNNING; then it is stopped and TIMED_OUT. A suspension stops the"
                        + " count, preemption, node loss and failure begin it anew.",
                minimum = "1",
                maximum = "315360000",
                example = "604800")
        @Nullable
        Integer maxRuntimeSeconds,

        @Schema(
                description =
                        "When it must have ended, waiting, suspended or running: an RFC 3339 time with its offset,"
                                + " to come. Then it is stopped and TIMED_OUT.",
                format = "date-time",
                example = "2036-12-24T18:00:00Z")
        @Nullable
        String deadline,

        @Schema(
                description =
                        "How long it may be QUEUED before an attempt; then it is TIMED_OUT. A suspension stops the"
                                + " count, the end of an attempt begins it anew.",
                minimum = "1",
                maximum = "315360000",
                example = "86400")
        @Nullable
        Integer maxQueueSeconds,

        @Schema(
                description =
                        "How long its pods may take to run once all are bound; then the attempt ends with the cause"
                                + " NOT_READY_IN_TIME and the job is QUEUED again, with a back-off. By default what the"
                                + " operator has set, 600 s.",
                minimum = "1",
                maximum = "86400",
                example = "1800")
        @Nullable
        Integer readyTimeoutSeconds,

        @Schema(
                description =
                        "How long it waits for the first flavor that a pod set names before it may use the second too, and"
                                + " so on; 0 for all at once. By default what its lane says. A flavor on which it could"
                                + " never run is not waited for.",
                minimum = "0",
                maximum = "2678400",
                example = "600")
        @Nullable
        Integer fallbackAfterSeconds,

        @Schema(
                description = "Whether it begins suspended: it holds nothing and waits until it is resumed.",
                defaultValue = "false")
        @Nullable
        Boolean suspended,

        @Schema(
                description =
                        "At most 64 jobs that must have succeeded before this one is considered, by id, or by #ref"
                                + " for another job of the same batch. If one does not succeed, this one is FAILED.")
        @Nullable
        List<String> dependsOn,

        @Schema(
                description =
                        "A DNS label for this job, unique in its batch, so that others of the batch may name it in"
                                + " dependsOn as #ref. It is not kept.",
                example = "train")
        @Nullable
        String ref,

        @Nullable PreemptionForm preemption,
        @Nullable RetryForm retry,

        @Schema(description = "The caller's own labels, at most 32.", example = "{\"team\": \"nlp\"}") @Nullable
        Map<String, String> labels) {

    /** Equal pods. */
    @Schema(name = "PodSetRequest", description = "count equal pods.")
    public record PodSetRequest(
            @Schema(description = "A DNS label, unique in the job.", defaultValue = "worker", example = "worker")
            @Nullable
            String name,

            @Schema(description = "Pods wanted.", minimum = "1", maximum = "20000", example = "2")
            Integer count,

            @Schema(description = "Pods that must start together; by default count.", minimum = "1", maximum = "20000")
            @Nullable
            Integer minCount,

            @Schema(
                    description = "Up to how many pods the set may be scaled; by default count.",
                    minimum = "1",
                    maximum = "20000")
            @Nullable
            Integer maxCount,

            @Schema(
                    description = "Whole GPUs of each pod. 0 or none is a CPU-only pod.",
                    minimum = "0",
                    maximum = "64",
                    example = "8")
            @Nullable
            Integer gpusPerPod,

            @Schema(
                    description = "A share of one GPU for each pod, in thousandths; instead of gpusPerPod.",
                    minimum = "0",
                    maximum = "1000")
            @Nullable
            Integer gpuMilli,

            @Schema(
                    description = "A MIG instance of this profile for each pod; instead of gpusPerPod and gpuMilli."
                            + " How much of a GPU it is depends on the GPU.",
                    example = "1g.10gb")
            @Nullable
            String mig,

            @Schema(
                    description =
                            "Flavors in order of wish; none is any. fallbackAfterSeconds says when the next may be used.")
            @Nullable
            List<String> flavors,

            @Schema(
                    description = "CPU of each pod in thousandths of a core.",
                    minimum = "0",
                    maximum = "4096000",
                    defaultValue = "0")
            @Nullable
            Long cpuMilli,

            @Schema(description = "Memory of each pod in MiB.", minimum = "0", maximum = "67108864", defaultValue = "0")
            @Nullable
            Long memoryMib,

            @Schema(
                    description = "RDMA NICs of each pod, all of one resource name, beside its GPUs where possible.",
                    minimum = "0",
                    maximum = "16",
                    defaultValue = "0",
                    example = "8")
            @Nullable
            Integer rdma,

            @Schema(description = "The one resource name its NICs must be of; none is any.", example = "rdma/hca")
            @Nullable
            String rdmaResource,

            @Nullable SetTopologyForm topology,
            TemplateForm template,

            @Schema(
                    description = "Labels a node must have, each with this value; at most 16.",
                    example = "{\"pool\": \"training\"}")
            @Nullable
            Map<String, String> nodeSelector,

            @Schema(description = "Taints the pods do not mind; at most 16.") @Nullable
            List<TolerationForm> tolerations,

            @Schema(description = "Where its pods have to be, seen from other sets of the job; at most 16.") @Nullable
            List<AffinityForm> affinity,

            @Schema(
                    description =
                            "Sets of the job that its pods start after; none is at once. The job is placed whole, so"
                                    + " its GPUs are held meanwhile.")
            @Nullable
            List<StartAfterForm> startAfter) {}
}
