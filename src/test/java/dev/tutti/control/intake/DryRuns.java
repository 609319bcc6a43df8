package dev.tutti.control.intake;

import dev.tutti.allocator.GangAllocator;
import dev.tutti.allocator.Snapshot;
import dev.tutti.model.QueueId;
import dev.tutti.model.job.JobSpec;
import java.util.List;

/** Dry runs without a database, on a fleet with nothing on it. */
public final class DryRuns {

    private DryRuns() {}

    public static Forecast of(Snapshot empty, JobSpec job, QueueId queue) {
        Forecaster.Candidate candidate = new Forecaster.Candidate(job, queue.value(), "anna", List.of());
        Forecaster.Basis basis = new Forecaster.Basis(empty, empty, List.of(), List.of(), 0);
        return new Forecaster(new GangAllocator())
                .forecast(basis, List.of(candidate))
                .get(0);
    }
}
