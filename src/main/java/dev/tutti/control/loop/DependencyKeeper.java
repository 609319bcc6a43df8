package dev.tutti.control.loop;

import dev.tutti.control.Actor;
import dev.tutti.control.Dependencies;
import dev.tutti.model.JobId;
import dev.tutti.model.life.EndCause;
import java.util.List;

/**
 * Ends jobs whose parents did not succeed, and lets go those whose parents did. One generation a turn: children of children
 * are due in the next, because their parents have ended then.
 */
public final class DependencyKeeper {

    private final Dependencies dependencies;
    private final JobKeeper keeper;
    private final Actor.Leader leader;

    public DependencyKeeper(Dependencies dependencies, JobKeeper keeper, Actor.Leader leader) {
        this.dependencies = dependencies;
        this.keeper = keeper;
        this.leader = leader;
    }

    /** Returns how much was done. */
    public int turn() {
        List<JobId> broken = dependencies.broken();
        int ended = broken.isEmpty()
                ? 0
                : broken.size()
                        - keeper.stop(broken, EndCause.DEPENDENCY_FAILED).size();
        return ended + dependencies.release(leader);
    }
}
