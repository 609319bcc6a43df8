package dev.tutti.control.explain;

import dev.tutti.allocator.Fallback;
import dev.tutti.allocator.WaitingJob;
import dev.tutti.control.read.JobView;
import dev.tutti.model.JobId;
import dev.tutti.model.QueueId;
import dev.tutti.model.job.JobSpec;
import dev.tutti.model.life.JobState;
import dev.tutti.model.life.Reason;
import dev.tutti.model.life.ReasonCode;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A waiting job that somebody asks about.
 *
 * @param user who submitted it
 * @param outside why the scheduler does not consider it at all: it is suspended, or waits for other jobs; null when it does
 */
record Subject(
        JobId job,
        QueueId queue,
        JobSpec spec,
        long submittedAtMicros,
        String user,
        @Nullable Reason outside) {

    /** Empty for one that does not wait, or that cannot be read. */
    static Optional<Subject> of(JobView view) {
        JobSpec spec = view.spec();
        boolean waits = view.state() == JobState.QUEUED || view.state() == JobState.SUSPENDED;
        if (spec == null || !waits) {
            return Optional.empty();
        }
        Reason reason = view.reason();
        boolean isOutside =
                reason != null && (reason.code() == ReasonCode.SUSPENDED || reason.code() == ReasonCode.DEPENDENCY);
        return Optional.of(new Subject(
                view.id(),
                view.queue(),
                spec.with(view.head().lane(), view.head().priority(), spec.limits(), spec.labels()),
                Instant.EPOCH.until(view.submittedAt(), ChronoUnit.MICROS),
                view.submittedBy(),
                isOutside ? reason : null));
    }

    /**
     * The job as the scheduler would read it if it were considered from now on: it begins with the flavors that it names first.
     * One that had waited before it was suspended may use more of them once it is resumed.
     */
    WaitingJob toWait(long nowMicros) {
        return new WaitingJob(
                job,
                0,
                queue,
                spec.lane(),
                spec.priority(),
                submittedAtMicros,
                0,
                mayRunSeconds(spec.limits().maxRuntimeSeconds()),
                spec.podSets(),
                spec.topology(),
                null,
                user,
                null,
                new Fallback(nowMicros, spec.limits().fallbackAfterSeconds()));
    }

    /** How long it may hold what it gets, with this limit. */
    long mayRunSeconds(@Nullable Integer maxRuntimeSeconds) {
        return maxRuntimeSeconds == null ? 0 : (long) maxRuntimeSeconds + spec.graceSeconds();
    }
}
