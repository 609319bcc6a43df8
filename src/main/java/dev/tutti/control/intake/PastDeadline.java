package dev.tutti.control.intake;

import dev.tutti.model.Violation;
import dev.tutti.model.job.JobSpec;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/** Says that a job's deadline is over before the job begins. */
public final class PastDeadline {

    private PastDeadline() {}

    /**
     * The violation; empty for a deadline that is to come, and without one.
     *
     * @param nowMicros the database's time, in microseconds since 1970
     */
    public static Optional<Violation> of(JobSpec spec, long nowMicros) {
        if (!spec.limits().isPastAt(nowMicros)) {
            return Optional.empty();
        }
        Instant now = Instant.EPOCH.plus(nowMicros, ChronoUnit.MICROS).truncatedTo(ChronoUnit.SECONDS);
        return Optional.of(new Violation(
                "deadline",
                "is " + spec.limits().deadline() + ", and it is " + now + " now; give a time that is to come"));
    }
}
