package dev.tutti.web.jobs.form;

import dev.tutti.model.JobId;
import dev.tutti.model.job.JobSpec;
import dev.tutti.model.job.Lane;
import dev.tutti.model.job.PodSet;
import dev.tutti.model.job.Preemption;
import dev.tutti.model.job.TimeLimits;
import dev.tutti.model.job.TopologyWish;
import dev.tutti.web.input.Times;
import dev.tutti.web.input.Violations;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Makes the model's {@link JobSpec} of a request: fills in defaults and collects every violation, also the model's. */
public final class JobReader {

    private static final String QUEUE = "default";

    private JobReader() {}

    /** The job; null with violations added, whose fields begin with {@code path}. */
    public static @Nullable JobSpec read(JobRequest request, String path, Violations violations) {
        return read(request, path, false, violations);
    }

    /** @param inBatch whether it may depend on other jobs by their refs, which is not looked at here */
    public static @Nullable JobSpec read(JobRequest request, String path, boolean inBatch, Violations violations) {
        Violations here = new Violations();
        List<JobId> parents = ParentReader.read(or(request.dependsOn(), List.of()), path, inBatch, here);
        List<PodSet> podSets = podSets(request.podSets(), path, here);
        boolean wholeSets = here.isEmpty();
        TimeLimits limits = limits(request, path, here);
        Preemption terms = PreemptionForm.terms(request.preemption(), path, here);
        Lane lane = lane(request.lane(), path, here);
        JobSpec spec = here.build(
                path,
                () -> spec(
                        request, lane, limits, terms, parents, wholeSets ? podSets : List.of(PodSetReader.STAND_IN)));
        here.list().forEach(violation -> violations.add(violation.field(), violation.message()));
        return here.isEmpty() ? spec : null;
    }

    private static JobSpec spec(
            JobRequest request,
            Lane lane,
            TimeLimits limits,
            Preemption terms,
            List<JobId> parents,
            List<PodSet> podSets) {
        return new JobSpec(
                request.name(),
                or(request.queue(), QUEUE),
                lane,
                or(request.priority(), 0),
                podSets,
                request.topology() == null
                        ? TopologyWish.NONE
                        : request.topology().toModel(),
                request.expectedRuntimeSeconds(),
                PreemptionForm.graceSeconds(request.preemption()),
                request.retry() == null ? 0 : or(request.retry().maxFailures(), 0),
                or(request.labels(), Map.of()),
                limits,
                or(request.suspended(), false),
                parents,
                terms);
    }

    private static TimeLimits limits(JobRequest request, String path, Violations violations) {
        Instant deadline =
                request.deadline() == null ? null : Times.read(request.deadline(), path + "deadline", violations);
        TimeLimits limits = violations.build(
                path,
                () -> new TimeLimits(
                        request.maxRuntimeSeconds(),
                        deadline,
                        request.maxQueueSeconds(),
                        request.readyTimeoutSeconds(),
                        request.fallbackAfterSeconds()));
        return limits == null ? TimeLimits.NONE : limits;
    }

    public static Lane lane(@Nullable String word, String path, Violations violations) {
        Optional<Lane> lane = lane(or(word, Lane.YELLOW.word()));
        if (lane.isEmpty()) {
            violations.add(path + "lane", "is \"" + word + "\"; give green, yellow or red");
        }
        return lane.orElse(Lane.YELLOW);
    }

    public static Optional<Lane> lane(String word) {
        return Arrays.stream(Lane.values())
                .filter(lane -> lane.word().equals(word))
                .findFirst();
    }

    private static List<PodSet> podSets(List<JobRequest.PodSetRequest> requests, String path, Violations violations) {
        List<PodSet> podSets = new ArrayList<>();
        for (int i = 0; i < requests.size(); i++) {
            PodSet podSet = PodSetReader.read(requests.get(i), path + "podSets[" + i + "].", violations);
            if (podSet != null) {
                podSets.add(podSet);
            }
        }
        return podSets;
    }

    private static <T> T or(@Nullable T value, T fallback) {
        return value == null ? fallback : value;
    }
}
