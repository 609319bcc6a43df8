package dev.tutti.contract;

import dev.tutti.control.read.AttemptView;
import dev.tutti.control.read.JobFilter;
import dev.tutti.control.read.JobQueries;
import dev.tutti.control.read.JobView;
import dev.tutti.control.read.MemberView;
import dev.tutti.control.read.Page;
import dev.tutti.control.read.PageRequest;
import dev.tutti.control.read.PlaceView;
import dev.tutti.model.JobId;
import java.util.List;
import java.util.Optional;

/** Pages of no jobs. */
public enum NoJobs implements JobQueries {
    INSTANCE;

    @Override
    public Optional<JobView> job(JobId id) {
        return Optional.empty();
    }

    @Override
    public Page<JobView> jobs(JobFilter filter, PageRequest page) {
        return new Page<>(List.of(), null);
    }

    @Override
    public Page<MemberView> members(JobId id, PageRequest page) {
        return new Page<>(List.of(), null);
    }

    @Override
    public List<PlaceView> places(JobId id) {
        return List.of();
    }

    @Override
    public List<AttemptView> attempts(JobId id) {
        return List.of();
    }
}
