package dev.tutti.control.explain;

import dev.tutti.allocator.Allocator;
import dev.tutti.allocator.Inspection;
import dev.tutti.allocator.Plan;
import dev.tutti.allocator.RunningBook;
import dev.tutti.allocator.StandingAllocator;
import dev.tutti.allocator.WaitingBook;
import dev.tutti.allocator.WaitingJob;
import dev.tutti.control.intake.Present.State;
import dev.tutti.model.JobId;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One engine asked about one job: as it is, and then as it might be, everything else being the same. Each answer is a whole
 * decision over all that waits, so the job gets what its turn leaves it and no more. For one thread.
 *
 * <p>The engine remembers the times that it keeps for jobs, also those of a try: a start that they may have led to is asked of
 * a second engine, which knows of no try.
 */
final class Question {

    /** So often the engine is asked about one job, the first time included. */
    static final int MOST_TRIES = 32;

    private final Allocator allocator;
    private final State state;
    private final WaitingJob job;
    private final BooleanSupplier isTimeLeft;
    private final StandingAllocator engine;
    private final WaitingBook book;
    private final RunningBook running;
    private final Plan plan;
    /** The last decision. */
    private Plan last;

    private int tries = 1;
    private boolean wasCut;

    /** @param isTimeLeft whether one more try may be begun */
    Question(Allocator allocator, State state, WaitingJob job, BooleanSupplier isTimeLeft) {
        this.allocator = allocator;
        this.state = state;
        this.job = job;
        this.isTimeLeft = isTimeLeft;
        this.engine = allocator.standing();
        this.book = WaitingBook.of(state.waiting());
        this.running = RunningBook.of(state.running());
        book.put(job);
        this.plan = decide(engine, book);
        this.last = plan;
    }

    private Plan decide(StandingAllocator by, WaitingBook waiting) {
        return by.decide(state.snapshot(), waiting, running, state.nowMicros());
    }

    State state() {
        return state;
    }

    /** The job as it is. */
    WaitingJob job() {
        return job;
    }

    /** The decision as everything is. */
    Plan plan() {
        return plan;
    }

    /** What the last decision found of a job; null when it did not wait. */
    @Nullable
    Inspection inspect(JobId id) {
        return engine.inspect(id);
    }

    /** Whether the job starts as it is. */
    boolean starts() {
        return placement(plan) != null;
    }

    /** How the job would start if it were this one; null when it would not, or when nothing more may be tried. */
    Plan.@Nullable Placement tryAs(WaitingJob other) {
        if (!mayTry()) {
            return null;
        }
        boolean knowsOfATry = last != plan
                && !(last.reservations().isEmpty() && last.evictions().isEmpty());
        book.put(other);
        last = decide(engine, book);
        Plan.Placement found = placement(last);
        return found == null || !knowsOfATry ? found : mayTry() ? placement(afresh(other)) : null;
    }

    private boolean mayTry() {
        if (tries == MOST_TRIES || !isTimeLeft.getAsBoolean()) {
            wasCut = true;
            return false;
        }
        tries++;
        return true;
    }

    private Plan afresh(WaitingJob other) {
        WaitingBook all = WaitingBook.of(state.waiting());
        all.put(other);
        return decide(allocator.standing(), all);
    }

    /** Whether something was not tried, because there was no time or it was tried too often. */
    boolean wasCut() {
        return wasCut;
    }

    private Plan.@Nullable Placement placement(Plan of) {
        return of.placements().stream()
                .filter(one -> one.job().equals(job.job()) && !one.grows())
                .findFirst()
                .orElse(null);
    }

    static long gpuMilli(Plan.Placement placement) {
        return gpuMilli(placement.members());
    }

    static long gpuMilli(List<Plan.PodPlacement> members) {
        return members.stream()
                .mapToLong(pod -> (long) pod.devices().size() * pod.milliPerDevice())
                .sum();
    }
}
