package dev.tutti.testkit.memory;

import dev.tutti.control.Actor;
import dev.tutti.control.BindOutbox;
import dev.tutti.control.BindTask;
import dev.tutti.control.PodOrder;
import dev.tutti.model.AllocationId;
import dev.tutti.model.ClusterId;
import dev.tutti.model.PodName;
import dev.tutti.model.fleet.NicGroup;
import dev.tutti.model.job.GpuRequest;
import dev.tutti.model.job.PodSet;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

final class MemoryOutbox implements BindOutbox {

    private final MemoryStore store;

    MemoryOutbox(MemoryStore store) {
        this.store = store;
    }

    @Override
    public List<BindTask> claim(ClusterId cluster, int limit, Duration claimTime, Actor.Leader leader) {
        store.check(leader);
        long now = store.now();
        List<Rows.Task> due = store.openTasks.values().stream()
                .filter(task -> task.allocation.node.cluster.id.equals(cluster))
                .filter(task -> task.dueAt <= now && isFree(task, now, leader))
                .sorted(Comparator.comparingLong((Rows.Task task) -> task.dueAt)
                        .thenComparing(task -> task.allocation.id))
                .limit(limit)
                .toList();
        return due.stream()
                .map(task -> {
                    task.generation++;
                    BindTask handed = task(task);
                    task.claimedGeneration = task.generation;
                    task.claimedUntil = now + claimTime.toNanos() / 1000;
                    task.claimedTerm = leader.term();
                    task.tries++;
                    task.mayHaveBound |= task.wish == BindTask.Wish.BIND;
                    return handed;
                })
                .toList();
    }

    /** What an earlier term left claimed is not handed out before it was touched and reopened. */
    private static boolean isFree(Rows.Task task, long now, Actor.Leader leader) {
        return task.claimedTerm == 0 || (task.claimedUntil <= now && task.claimedTerm == leader.term());
    }

    @Override
    public void settle(Collection<Settlement> settlements, Actor.Leader leader) {
        store.check(leader);
        for (Settlement settlement : settlements) {
            Rows.Task task = store.tasks.get(settlement.allocation());
            if (task == null || task.claimedTerm == 0 || task.claimedGeneration != settlement.generation()) {
                continue;
            }
            release(task);
            if (settlement.neverSent()) {
                task.mayHaveBound = false;
            }
            if (task.generation == settlement.generation()) {
                task.done = settlement.done();
                task.dueAt = store.now() + settlement.retryAfter().toNanos() / 1000;
                if (task.done) {
                    store.openTasks.remove(task.allocation.id);
                }
            }
        }
    }

    @Override
    public List<BindTask> unsettledOfEarlierTerms(ClusterId cluster, int limit, Actor.Leader leader) {
        store.check(leader);
        return store.openTasks.values().stream()
                .filter(task -> task.allocation.node.cluster.id.equals(cluster))
                .filter(task -> task.claimedTerm != 0 && task.claimedTerm < leader.term())
                .limit(limit)
                .map(MemoryOutbox::task)
                .toList();
    }

    @Override
    public void reopen(Collection<AllocationId> allocations, Actor.Leader leader) {
        store.check(leader);
        for (AllocationId id : allocations) {
            Rows.Task task = store.openTasks.get(id);
            if (task != null && task.claimedTerm < leader.term()) {
                release(task);
            }
        }
    }

    private static void release(Rows.Task task) {
        task.claimedTerm = 0;
        task.claimedUntil = 0;
    }

    private static BindTask task(Rows.Task task) {
        Rows.Allocation member = task.allocation;
        return new BindTask(
                member.id,
                task.generation,
                task.wish,
                member.node.cluster.id,
                order(member),
                member.podUid,
                task.mayHaveBound,
                task.tries);
    }

    private static PodOrder order(Rows.Allocation member) {
        Rows.Job job = member.job;
        PodSet set = job.spec.podSets().stream()
                .filter(one -> one.name().equals(member.podSet))
                .findFirst()
                .orElseThrow();
        boolean share = set.gpus() instanceof GpuRequest.Share;
        return new PodOrder(
                PodName.of(job.id, member.attempt, member.rank),
                member.id,
                job.id,
                job.spec.name(),
                member.attempt,
                member.rank,
                member.podSet,
                job.members.size(),
                member.node.name,
                set.gpus() instanceof GpuRequest.Whole ? member.devices.size() : 0,
                share ? member.deviceMilli : 0,
                member.devices.stream().map(device -> device.index).sorted().toList(),
                member.mig,
                member.cpuMilli,
                member.memoryMib,
                set.nodes(),
                job.spec.graceSeconds(),
                job.spec.expectedRuntimeSeconds(),
                set.template(),
                member.nics.stream()
                        .map(row -> new NicGroup(row.resource, row.place, 1))
                        .toList());
    }
}
