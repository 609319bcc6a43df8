package dev.tutti.control.loop;

import dev.tutti.control.Actor;
import dev.tutti.control.BindOutbox;
import dev.tutti.control.BindTask;
import dev.tutti.control.ClusterGateway;
import dev.tutti.control.ClusterGateway.Outcome;
import dev.tutti.model.AllocationId;
import java.util.ArrayList;
import java.util.List;

/**
 * Makes the binds that an earlier leader may still have on their way stale: touches each pod of a task it left
 * unsettled, so that its resource version moves on, and only then hands the task out again (house rule R6).
 */
final class Takeover {

    private static final int TASKS = 200;

    private final ClusterGateway gateway;
    private final BindOutbox outbox;
    private final Lease lease;
    private final CallRunner calls;
    private final Actor.Leader leader;

    Takeover(ClusterGateway gateway, BindOutbox outbox, Lease lease, CallRunner calls, Actor.Leader leader) {
        this.gateway = gateway;
        this.outbox = outbox;
        this.lease = lease;
        this.calls = calls;
        this.leader = leader;
    }

    /** Touches them all and hands them out again. Returns false when the cluster does not let itself be touched. */
    boolean turn() {
        List<BindTask> tasks = unsettled();
        while (!tasks.isEmpty()) {
            List<AllocationId> touched = touchAll(tasks);
            if (touched.isEmpty()) {
                return false;
            }
            outbox.reopen(touched, leader);
            tasks = unsettled();
        }
        return true;
    }

    private List<BindTask> unsettled() {
        return outbox.unsettledOfEarlierTerms(gateway.cluster(), TASKS, leader);
    }

    private List<AllocationId> touchAll(List<BindTask> tasks) {
        boolean[] safe = new boolean[tasks.size()];
        CallGuard guard = new CallGuard(lease::holds);
        List<Runnable> work = new ArrayList<>();
        for (int i = 0; i < safe.length; i++) {
            int index = i;
            work.add(() -> safe[index] = touch(tasks.get(index), guard));
        }
        calls.runAll(work);
        List<AllocationId> touched = new ArrayList<>();
        for (int i = 0; i < safe.length; i++) {
            if (safe[i]) {
                touched.add(tasks.get(i).allocation());
            }
        }
        return touched;
    }

    /** A pod that is absent has nothing to bind; one made later is seen when the task is carried out. */
    private boolean touch(BindTask task, CallGuard guard) {
        if (!guard.mayCall()) {
            return false;
        }
        Outcome outcome = gateway.touch(task.order().name(), leader.term());
        guard.answered(!(outcome instanceof Outcome.Unknown));
        return outcome instanceof Outcome.Done || outcome instanceof Outcome.Absent;
    }
}
