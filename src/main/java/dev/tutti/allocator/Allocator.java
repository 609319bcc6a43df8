package dev.tutti.allocator;

import java.util.Collection;
import java.util.List;

/** Decides which waiting jobs start now, and where; and says of every other one why it waits. */
public interface Allocator {

    /**
     * One decision over everything. Jobs are considered in {@link WaitingJob#ORDER}; a job that cannot start never
     * blocks one behind it. Same input in any order, same plan.
     *
     * @param snapshot capacity, quota and use
     * @param waiting every job that waits
     * @param nowMicros the database's time of the snapshot, in microseconds since 1970; only back-offs are held against it
     * @return placements that all fit together, and changed verdicts
     */
    Plan decide(Snapshot snapshot, Collection<WaitingJob> waiting, long nowMicros);

    /**
     * The same, with the jobs that hold capacity: some may have to give way, and what will become free can be promised.
     *
     * @param running every job that holds capacity
     */
    default Plan decide(
            Snapshot snapshot, Collection<WaitingJob> waiting, Collection<RunningJob> running, long nowMicros) {
        return standing().decide(snapshot, WaitingBook.of(waiting), RunningBook.of(running), nowMicros);
    }

    /** Questions about jobs one by one, all at this state. */
    default Trial trial(Snapshot snapshot) {
        return job -> decide(snapshot, List.of(job), 0).placements().stream()
                .findFirst()
                .map(Trial.Answer::of)
                .orElse(Trial.Answer.NONE);
    }

    /** One that remembers between decisions, for a caller that decides again and again over slowly changing input. */
    default StandingAllocator standing() {
        return (snapshot, waiting, running, nowMicros) -> {
            waiting.wake(nowMicros);
            return decide(snapshot, waiting.jobs(), nowMicros);
        };
    }
}
