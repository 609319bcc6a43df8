package dev.tutti.web.jobs;

import dev.tutti.allocator.Finding;
import dev.tutti.control.explain.Blocker;
import dev.tutti.control.explain.Explanation;
import dev.tutti.control.explain.Remedy;
import dev.tutti.control.read.JobView;
import dev.tutti.control.read.PlaceView;
import dev.tutti.model.life.EndCause;
import dev.tutti.model.life.JobState;
import dev.tutti.model.life.Reason;
import dev.tutti.web.jobs.JobResponse.ReasonResponse;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Why a job is where it is. */
@Schema(name = "Explanation", description = "Why a job waits, runs where it runs, or ended.")
record ExplanationResponse(
        @Schema(description = "The job.") String id,
        JobState state,

        @Schema(description = "All of it in one sentence.") String summary,

        @Schema(
                description =
                        "Whether the engine answered in time. When not, the reason is the one last written, and deciders,"
                                + " blockedBy and remedies are empty: ask again.")
        boolean known,

        @Schema(description = "Whether the next decision would start it.")
        boolean startsNow,

        @Schema(description = "Why it waits now; absent when it does not.") @Nullable
        ReasonResponse reason,

        @Schema(description = "Place in the order of consideration of its queue, from 1; only while it waits.")
        @Nullable
        Long position,

        @Schema(description = "The same among the jobs of its lane in its queue.") @Nullable
        Long positionInLane,

        @Schema(description = "When it starts at the latest; absent unless a time is kept for it.") @Nullable
        Instant startAt,

        @Schema(description = "What each that decides says of it, in order.")
        List<DeciderResponse> deciders,

        @Schema(description = "Who is in its way, at most 10, those in whose place it could be first.")
        List<BlockerResponse> blockedBy,

        @Schema(description = "How many are in its way.") int blockers,

        @Schema(description = "What would let it start. Each was tried with the engine, in the job's own turn.")
        List<RemedyResponse> remedies,

        @Schema(description = "Whether everything was tried that is ever tried; false when the time was over before.")
        boolean complete,

        @Schema(description = "Where it is, the most pods first, at most 50; empty unless it holds something.")
        List<PlaceResponse> places,

        @Schema(description = "Why it stops or ended.") @Nullable
        EndCause cause,

        @Schema(description = "Id of the job for which it stops.") @Nullable
        String stoppingFor,

        @Nullable Instant allocatedAt,
        @Nullable Instant startedAt,
        @Nullable Instant endedAt) {

    static final String EXAMPLE = """
            {"id": "0198c4d2-7f10-7aaa-8bbb-1234567890ab", "state": "QUEUED",
             "summary": "Less is free than it needs: 128 GPUs needed, 96 GPUs there.",
             "known": true, "startsNow": false,
             "reason": {"code": "WAITING_FOR_CAPACITY", "since": "2026-12-03T13:00:00Z", "resource": "gpuMilli",
                        "wanted": 128000, "available": 96000,
                        "detail": "Less is free than it needs: 128 GPUs needed, 96 GPUs there."},
             "position": 1, "positionInLane": 1, "startAt": "2026-12-03T14:10:00Z",
             "deciders": [
               {"decider": "ADMISSION", "outcome": "PASSES"},
               {"decider": "QUOTA", "outcome": "PASSES", "resource": "gpuMilli", "wanted": 128000, "available": 256000},
               {"decider": "GANG_SIZE", "outcome": "PASSES"},
               {"decider": "FLAVOR_AND_HEALTH", "outcome": "PASSES", "resource": "gpuMilli", "wanted": 128000,
                "available": 248000},
               {"decider": "CAPACITY", "outcome": "BLOCKS", "resource": "gpuMilli", "wanted": 128000,
                "available": 96000, "detail": "Less is free than it needs: 128 GPUs needed, 96 GPUs there."},
               {"decider": "TOPOLOGY", "outcome": "NOT_ASKED"},
               {"decider": "BANDWIDTH", "outcome": "PASSES"},
               {"decider": "RESERVATION", "outcome": "NOT_ASKED"}],
             "blockedBy": [{"kind": "HOLDS", "job": "0198c4d2-0000-7aaa-8bbb-1234567890ab", "queueId": "1",
                            "gpuMilli": 32000, "until": "2026-12-03T14:10:00Z"}],
             "blockers": 1,
             "remedies": [
               {"kind": "LATER", "gpuMilli": 128000, "startAt": "2026-12-03T14:10:00Z",
                "after": "0198c4d2-0000-7aaa-8bbb-1234567890ab",
                "detail": "It starts at 2026-12-03T14:10:00Z at the latest, when job 0198c4d2-0000-7aaa-8bbb-1234567890ab ends."},
               {"kind": "OTHER_FLAVOR", "gpuMilli": 128000, "flavor": "a100-sxm-80g",
                "detail": "It starts now on a100-sxm-80g."},
               {"kind": "FEWER_PODS", "gpuMilli": 96000, "pods": {"worker": 12},
                "detail": "12 pods with 96 GPUs start now."}],
             "complete": true, "places": []}""";

    static ExplanationResponse of(
            JobView job, Optional<Explanation> explanation, boolean isKnown, List<PlaceView> places) {
        Explanation now = isKnown ? null : explanation.orElse(null);
        Reason reason = now == null ? job.reason() : now.verdict();
        return new ExplanationResponse(
                job.id().toString(),
                job.state(),
                summary(job, now, reason, places),
                isKnown || now != null,
                now != null && now.startsNow(),
                reason == null ? null : ReasonResponse.of(reason, since(job, reason)),
                job.position(),
                now == null ? null : now.positionInLane(),
                now == null ? null : now.startAt(),
                now == null
                        ? List.of()
                        : now.deciders().stream().map(DeciderResponse::of).toList(),
                now == null
                        ? List.of()
                        : now.blockers().stream().map(BlockerResponse::of).toList(),
                now == null ? 0 : now.blockersInAll(),
                now == null
                        ? List.of()
                        : now.remedies().stream().map(RemedyResponse::of).toList(),
                isKnown || now != null && now.isComplete(),
                places.stream().map(PlaceResponse::of).toList(),
                job.cause(),
                job.stoppingFor() == null ? null : job.stoppingFor().toString(),
                job.allocatedAt(),
                job.startedAt(),
                job.endedAt());
    }

    /** A verdict of now that is not the one written has no time yet. */
    private static @Nullable Instant since(JobView job, Reason reason) {
        return job.reason() != null && job.reason().code() == reason.code() ? job.reasonSince() : null;
    }

    private static String summary(
            JobView job, @Nullable Explanation now, @Nullable Reason reason, List<PlaceView> places) {
        String cause = job.cause() == null ? "." : ": " + job.cause() + ".";
        if (now != null && now.startsNow()) {
            return "It starts with the next decision, as everything is now.";
        }
        return switch (job.state()) {
            case QUEUED, SUSPENDED -> reason == null ? "It waits." : reason.detail();
            case ALLOCATED, RUNNING -> "It holds " + pods(places) + " since " + job.allocatedAt() + ".";
            case STOPPING -> "It stops, and holds what has not ended yet" + cause;
            default -> "It is over" + cause;
        };
    }

    private static String pods(List<PlaceView> places) {
        int pods = places.stream().mapToInt(PlaceView::pods).sum();
        String flavors = String.join(
                ", ", places.stream().map(PlaceView::flavor).distinct().toList());
        return "the place of " + pods + (pods == 1 ? " pod" : " pods") + (flavors.isEmpty() ? "" : " on " + flavors);
    }

    /** What one that decides says. */
    @Schema(name = "Decider", description = "What one of those that decide over the start of a job says of it.")
    record DeciderResponse(
            Finding.Decider decider,

            @Schema(description = "NOT_ASKED: another one blocks.")
            Finding.Outcome outcome,

            @Schema(description = "What the numbers are of.", example = "gpuMilli") @Nullable
            String resource,

            @Schema(description = "How much the job needs at the least.") @Nullable
            Long wanted,

            @Schema(description = "How much there is for it; absent where nothing limits it.") @Nullable
            Long available,

            @Schema(description = "One sentence of one that blocks, or that knows of flavors that are not open yet.")
            @Nullable
            String detail,

            @Schema(
                    description =
                            "When the next of the flavors that it names opens to it; only of FLAVOR_AND_HEALTH, absent when"
                                    + " all are open, and when none ever opens.")
            @Nullable
            Instant opensAt) {

        static DeciderResponse of(Finding one) {
            return new DeciderResponse(
                    one.decider(),
                    one.outcome(),
                    one.resource(),
                    one.wanted(),
                    one.available(),
                    one.detail(),
                    one.opensMicros() == null ? null : Instant.EPOCH.plus(one.opensMicros(), ChronoUnit.MICROS));
        }
    }

    /** Who is in the way. */
    @Schema(name = "Blocker", description = "A job, or a quota, that is in the way of a job.")
    record BlockerResponse(
            @Schema(
                    description =
                            "HOLDS: runs on what the job could use, on quota that it needs, or counts against a limit that it"
                                    + " met. LEAVES: stops for the job."
                                    + " BEFORE: comes before it in a strict queue. RESERVED: something is kept for it. QUOTA: less is"
                                    + " left of it than the job needs. PARENT: the job depends on it.")
            Blocker.Kind kind,

            @Schema(description = "Id of the other job; absent for a quota.") @Nullable
            String job,

            @Schema(description = "Id of its queue, or of the queue whose quota it is.") @Nullable
            String queueId,

            @Schema(
                    description =
                            "Thousandths of a GPU: what the other job holds of what this one could use, or waits for; of a"
                                    + " quota what is left.")
            long gpuMilli,

            @Schema(description = "When that ends at the latest; absent when nobody knows.") @Nullable
            Instant until) {

        static BlockerResponse of(Blocker one) {
            return new BlockerResponse(
                    one.kind(),
                    one.job() == null ? null : one.job().toString(),
                    one.queue() == null ? null : one.queue().toString(),
                    one.gpuMilli(),
                    one.until());
        }
    }

    /** What would help. */
    @Schema(name = "Remedy", description = "Something that would let the job start, tried with the engine.")
    record RemedyResponse(
            @Schema(
                    description =
                            "LATER: nothing but time. RESUME: the job is suspended. NO_TOPOLOGY, ALL_FLAVORS (those it"
                                    + " names, at once), OTHER_FLAVOR, OTHER_LANE, SHORTER (less run time), FEWER_PODS: what would have to be otherwise.")
            Remedy.Kind kind,

            @Schema(description = "One sentence.") String detail,

            @Schema(description = "Thousandths of a GPU that would start.")
            long gpuMilli,

            @Schema(description = "Pods of each set; only of FEWER_PODS.") @Nullable
            Map<String, Integer> pods,

            @Nullable String flavor,

            @Schema(allowableValues = {"green", "yellow", "red"}) @Nullable
            String lane,

            @Nullable Integer maxRuntimeSeconds,

            @Schema(description = "When it starts at the latest; absent for now.") @Nullable
            Instant startAt,

            @Schema(description = "Id of the job whose end it waits for.") @Nullable
            String after) {

        static RemedyResponse of(Remedy one) {
            return new RemedyResponse(
                    one.kind(),
                    one.detail(),
                    one.gpuMilli(),
                    one.pods().isEmpty() ? null : one.pods(),
                    one.flavor(),
                    one.lane() == null ? null : one.lane().word(),
                    one.maxRuntimeSeconds(),
                    one.startAt(),
                    one.after() == null ? null : one.after().toString());
        }
    }

    /** Where it is. */
    @Schema(name = "Place", description = "What a job has on the nodes of one flavor in one domain.")
    record PlaceResponse(
            String cluster,
            String flavor,

            @Schema(
                    description = "The domain at each level.",
                    example = "{\"zone\": \"z1\", \"block\": \"b1\", \"rack\": \"r1\"}")
            Map<String, String> domains,

            int nodes,
            int pods,
            long gpuMilli) {

        static PlaceResponse of(PlaceView one) {
            Map<String, String> domains = new LinkedHashMap<>();
            for (String pair : one.domains()) {
                int equals = pair.indexOf('=');
                domains.put(pair.substring(0, equals), pair.substring(equals + 1));
            }
            return new PlaceResponse(one.cluster(), one.flavor(), domains, one.nodes(), one.pods(), one.gpuMilli());
        }
    }
}
