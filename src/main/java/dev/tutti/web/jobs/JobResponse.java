package dev.tutti.web.jobs;

import dev.tutti.control.read.JobView;
import dev.tutti.model.JobId;
import dev.tutti.model.job.GpuRequest;
import dev.tutti.model.job.JobSpec;
import dev.tutti.model.job.PodSet;
import dev.tutti.model.job.TimeLimits;
import dev.tutti.model.life.EndCause;
import dev.tutti.model.life.JobState;
import dev.tutti.model.life.Reason;
import dev.tutti.model.life.ReasonCode;
import dev.tutti.web.calls.Versions;
import dev.tutti.web.jobs.form.AffinityForm;
import dev.tutti.web.jobs.form.PreemptionForm;
import dev.tutti.web.jobs.form.RetryForm;
import dev.tutti.web.jobs.form.SetTopologyForm;
import dev.tutti.web.jobs.form.StartAfterForm;
import dev.tutti.web.jobs.form.TemplateForm;
import dev.tutti.web.jobs.form.TolerationForm;
import dev.tutti.web.jobs.form.TopologyForm;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A job as its owner sees it. */
@Schema(name = "Job", description = "A job: what was asked for, and what became of it.")
record JobResponse(
        @Schema(description = "Opaque.") String id,
        String name,
        @Schema(description = "Id of its queue.") String queueId,

        @Schema(description = "Path of its queue.", example = "default")
        String queue,

        @Schema(allowableValues = {"green", "yellow", "red"})
        String lane,

        int priority,
        JobState state,

        @Schema(description = "Whether it is suspended, or will be once it has stopped.")
        boolean suspended,

        @Schema(description = "Why it waits; only while it waits.") @Nullable
        ReasonResponse reason,

        @Schema(description = "Place in the order of consideration, from 1; only while it waits.") @Nullable
        Long position,

        @Schema(description = "When and where it is planned to start; only while it waits and a time is known.")
        @Nullable
        ReservationResponse reservation,

        @Schema(description = "Why it stops or ended; absent where only a suspension stops it.") @Nullable
        EndCause cause,

        @Schema(description = "Id of the job for which it gives up what it holds; only while it stops for another.")
        @Nullable
        String stoppingFor,

        @Schema(description = "Number of the live or last attempt; 0 before the first.")
        int attempt,

        @Schema(description = "Attempts that failed by its own fault.")
        int failures,

        GpuSum gpus,

        @Schema(description = "Empty, as is all else of the spec, when what is stored of it can no longer be read.")
        List<PodSetResponse> podSets,

        @Nullable TopologyForm topology,
        @Nullable Integer expectedRuntimeSeconds,
        @Nullable Integer maxRuntimeSeconds,
        @Nullable Instant deadline,
        @Nullable Integer maxQueueSeconds,
        @Nullable Integer readyTimeoutSeconds,

        @Schema(description = "Its own; absent for that of its lane.") @Nullable
        Integer fallbackAfterSeconds,

        @Schema(description = "Ids of the jobs that must have succeeded before.")
        List<String> dependsOn,

        PreemptionForm preemption,
        RetryForm retry,
        Map<String, String> labels,
        String submittedBy,
        Instant submittedAt,
        @Nullable Instant allocatedAt,

        @Schema(description = "When all members of the last attempt ran that were to start by then.") @Nullable
        Instant startedAt,

        @Nullable Instant endedAt) {

    /** Changes with everything that is shown of a job that waits. */
    static String etag(JobView job) {
        Reason reason = job.reason();
        return Versions.etag(job.version(), job.position(), reason == null ? null : reason.detail());
    }

    static JobResponse of(JobView job) {
        JobSpec spec = job.spec();
        TimeLimits limits = spec == null ? TimeLimits.NONE : spec.limits();
        return new JobResponse(
                job.id().toString(),
                job.head().name(),
                job.queue().toString(),
                job.queuePath(),
                job.head().lane().word(),
                job.head().priority(),
                job.state(),
                job.suspend(),
                ReasonResponse.of(job),
                job.position(),
                ReservationResponse.of(job),
                job.cause(),
                job.stoppingFor() == null ? null : job.stoppingFor().toString(),
                job.attempt(),
                job.failures(),
                spec == null ? new GpuSum(0, 0) : new GpuSum(spec.pods(), spec.gpuMilli()),
                spec == null
                        ? List.of()
                        : spec.podSets().stream().map(PodSetResponse::of).toList(),
                spec == null ? null : TopologyForm.of(spec.topology()),
                spec == null ? null : spec.expectedRuntimeSeconds(),
                limits.maxRuntimeSeconds(),
                limits.deadline(),
                limits.maxQueueSeconds(),
                limits.readyTimeoutSeconds(),
                limits.fallbackAfterSeconds(),
                spec == null
                        ? List.of()
                        : spec.dependsOn().stream().map(JobId::toString).toList(),
                spec == null ? new PreemptionForm(null) : PreemptionForm.of(spec),
                new RetryForm(job.head().maxFailures()),
                spec == null ? Map.of() : spec.labels(),
                job.submittedBy(),
                job.submittedAt(),
                job.allocatedAt(),
                job.startedAt(),
                job.endedAt());
    }

    /** Why it waits. */
    @Schema(name = "Reason", description = "The strongest reason why a job waits.")
    record ReasonResponse(
            ReasonCode code,

            @Schema(description = "Since when this is the reason.") @Nullable
            Instant since,

            @Schema(
                    description = "What is short: gpuMilli, cpuMilli, memoryMib, rdma (NICs), mig (instances), pods, or"
                            + " domains (of a topology level).",
                    example = "gpuMilli")
            @Nullable
            String resource,

            @Schema(
                    description =
                            "How much it needs at the least; absent where nothing is short, such as before a lane opens.")
            @Nullable
            Long wanted,

            @Schema(description = "How much there is for it; the detail says of what. Absent where wanted is.")
            @Nullable
            Long available,

            @Schema(description = "One sentence.") String detail) {

        static @Nullable ReasonResponse of(JobView job) {
            return job.reason() == null ? null : of(job.reason(), job.reasonSince());
        }

        static ReasonResponse of(Reason reason, @Nullable Instant since) {
            boolean isOfAmounts = reason.resource() != null;
            return new ReasonResponse(
                    reason.code(),
                    since,
                    reason.resource(),
                    isOfAmounts ? reason.wanted() : null,
                    isOfAmounts ? reason.available() : null,
                    reason.detail());
        }
    }

    /** When and where it is planned to start. */
    @Schema(
            name = "Reservation",
            description = "Capacity kept for a job that cannot start yet. A plan, and no promise.")
    record ReservationResponse(
            @Schema(description = "When it starts at the latest, if all jobs that run keep to their limits.")
            Instant startAt,

            @Schema(description = "Thousandths of a GPU that it will take.")
            long gpuMilli,

            @Schema(description = "Names of the nodes it will take them of.")
            List<String> nodes) {

        static @Nullable ReservationResponse of(JobView job) {
            JobView.Reservation planned = job.reservation();
            return planned == null
                    ? null
                    : new ReservationResponse(planned.startAt(), planned.gpuMilli(), planned.nodes());
        }
    }

    /** What all pods together ask for. */
    @Schema(name = "GpuSum", description = "What all pods together ask for.")
    record GpuSum(
            int pods,

            @Schema(description = "Thousandths of a GPU; a MIG instance by the least it is of any GPU.")
            long gpuMilli) {}

    /** Equal pods, as they were asked for. */
    @Schema(name = "PodSet", description = "count equal pods.")
    record PodSetResponse(
            String name,
            int count,
            int minCount,
            int maxCount,
            @Schema(description = "Whole GPUs of each pod.") int gpusPerPod,

            @Schema(description = "Share of one GPU of each pod.")
            int gpuMilli,

            @Schema(description = "Profile of the MIG instance of each pod; absent for none.", example = "1g.10gb")
            @Nullable
            String mig,

            List<String> flavors,
            long cpuMilli,
            long memoryMib,
            @Schema(description = "RDMA NICs of each pod.") int rdma,

            @Schema(description = "The one resource name its NICs must be of; absent for any.") @Nullable
            String rdmaResource,

            @Nullable SetTopologyForm topology,
            TemplateForm template,
            Map<String, String> nodeSelector,
            List<TolerationForm> tolerations,
            List<AffinityForm> affinity,

            @Schema(description = "Sets of the job that its pods start after; empty for at once.")
            List<StartAfterForm> startAfter) {

        static PodSetResponse of(PodSet set) {
            GpuRequest gpus = set.gpus();
            return new PodSetResponse(
                    set.name(),
                    set.count(),
                    set.minCount(),
                    set.most(),
                    gpus instanceof GpuRequest.Whole ? gpus.devices() : 0,
                    gpus instanceof GpuRequest.Share ? gpus.milliPerDevice() : 0,
                    gpus instanceof GpuRequest.Mig mig ? mig.profile() : null,
                    set.flavors(),
                    set.cpuMilli(),
                    set.memoryMib(),
                    set.nics().nics(),
                    set.nics().resource().isEmpty() ? null : set.nics().resource(),
                    SetTopologyForm.of(set),
                    TemplateForm.of(set.template()),
                    set.nodes().selector(),
                    set.nodes().tolerations().stream().map(TolerationForm::of).toList(),
                    set.affinity().stream().map(AffinityForm::of).toList(),
                    set.startAfter().stream().map(StartAfterForm::of).toList());
        }
    }
}
