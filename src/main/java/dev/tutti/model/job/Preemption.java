package dev.tutti.model.job;

import dev.tutti.model.Check;
import dev.tutti.model.Limits;
import org.jspecify.annotations.Nullable;

/**
 * On what terms a job can be a victim. Whether it becomes one is the allocator's to decide.
 *
 * @param preemptible whether it may be one at all; a job that may not runs on its queue's nominal quota alone, as green jobs
 *     do, because nothing that was borrowed could be had back from it
 * @param checkpointIntervalSeconds it writes a checkpoint whenever it has run for so long, so an eviction loses what it did
 *     since the last; null when it writes none
 * @param budget how often it can stand it; null for no bound
 */
public record Preemption(
        boolean preemptible,
        @Nullable Integer checkpointIntervalSeconds,
        @Nullable DisruptionBudget budget) {

    /** A job that may be a victim at any time, and loses all it did. */
    public static final Preemption ALWAYS = new Preemption(true, null, null);

    public Preemption {
        if (checkpointIntervalSeconds != null) {
            new Check()
                    .range(checkpointIntervalSeconds, 1, Limits.SECONDS, "preemption.checkpointIntervalSeconds")
                    .orThrow();
        }
    }

    /** Notes what a lane does not allow. */
    void check(Lane lane, Check check) {
        check.that(
                        preemptible || lane == Lane.GREEN,
                        "preemption.preemptible",
                        "is false in the lane " + lane.word()
                                + "; leave it out or choose green, whose jobs run on nominal quota alone")
                .that(
                        budget == null || lane != Lane.RED,
                        "preemption.disruptionBudget",
                        "is given in the lane red, whose jobs give way to everybody; leave it out or choose yellow");
    }
}
