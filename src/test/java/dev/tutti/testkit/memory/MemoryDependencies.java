package dev.tutti.testkit.memory;

import dev.tutti.control.Actor;
import dev.tutti.control.Dependencies;
import dev.tutti.model.JobId;
import dev.tutti.model.life.JobState;
import java.util.List;

final class MemoryDependencies implements Dependencies {

    private final MemoryStore store;

    MemoryDependencies(MemoryStore store) {
        this.store = store;
    }

    @Override
    public List<JobId> broken() {
        return store.jobs.values().stream()
                .filter(job -> job.waits && !job.state.isFinal())
                .filter(job -> job.parents.stream()
                        .anyMatch(parent -> parent.state.isFinal() && parent.state != JobState.SUCCEEDED))
                .map(job -> job.id)
                .toList();
    }

    @Override
    public int release(Actor.Leader leader) {
        store.check(leader);
        List<Rows.Job> met = store.jobs.values().stream()
                .filter(job -> job.waits && !job.state.isFinal())
                .filter(job -> job.parents.stream().allMatch(parent -> parent.state == JobState.SUCCEEDED))
                .toList();
        for (Rows.Job job : met) {
            job.waits = false;
            job.parentsMicros = job.queuedMicros + (job.state == JobState.QUEUED ? store.now() - job.queuedSince : 0);
            job.version++;
            job.reason = job.state == JobState.QUEUED ? MemoryLedger.NOT_LOOKED_AT : job.reason;
            store.stamp(job);
        }
        return met.size();
    }
}
