package dev.tutti.testkit.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.allocator.Plan;
import dev.tutti.allocator.QueueShares;
import dev.tutti.allocator.Snapshot;
import dev.tutti.allocator.WaitingJob;
import dev.tutti.allocator.fleet.FleetArrays;
import dev.tutti.model.JobId;
import dev.tutti.model.QueueId;
import dev.tutti.model.queue.QuotaKey;
import dev.tutti.model.queue.QuotaResource;
import dev.tutti.model.queue.Use;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/** The state after a plan was committed, counted by the plan's own words and not by the allocator's indexes. */
public final class AppliedPlan {

    private AppliedPlan() {}

    /** A snapshot with everything taken that the plan places; amounts may fall below 0, which is for others to judge. */
    public static Snapshot apply(Snapshot before, Plan plan, Collection<WaitingJob> jobs) {
        FleetArrays old = before.fleet();
        long[] cpu = old.cpuFreeMilli().clone();
        long[] memory = old.memoryFreeMib().clone();
        int[] pods = old.podsFree().clone();
        int[] free = old.deviceFreeMilli().clone();
        int[] units = old.deviceUnits().clone();
        int[] nics = old.nics().free().clone();
        Map<QueueId, Map<QuotaKey, Use>> used = new HashMap<>();
        before.queues().queues().forEach((id, share) -> used.put(id, new HashMap<>(share.used())));
        Map<JobId, WaitingJob> jobOf = new HashMap<>();
        jobs.forEach(job -> jobOf.put(job.job(), job));
        for (Plan.Placement placement : plan.placements()) {
            for (Plan.PodPlacement pod : placement.members()) {
                int n = Arrays.binarySearch(old.nodeId(), pod.node().value());
                cpu[n] -= pod.cpuMilli();
                memory[n] -= pod.memoryMib();
                pods[n]--;
                for (long device : pod.devices()) {
                    int d = indexOf(old.deviceId(), device);
                    free[d] -= pod.milliPerDevice();
                    if (pod.mig() != null) {
                        assertThat(units[d] & pod.mig().bits())
                                .as("units of a device that are held twice")
                                .isZero();
                        units[d] |= pod.mig().bits();
                    }
                }
                pod.nics().forEach(group -> nics[indexOf(old.nics().groupId(), group)]--);
                long milli = (long) pod.devices().size() * pod.milliPerDevice();
                WaitingJob job = jobOf.get(placement.job());
                count(before, used, job, new QuotaKey(pod.flavor(), QuotaResource.GPU_MILLI), milli);
                count(before, used, job, new QuotaKey(pod.flavor(), QuotaResource.CPU_MILLI), pod.cpuMilli());
                count(before, used, job, new QuotaKey(pod.flavor(), QuotaResource.MEMORY_MIB), pod.memoryMib());
            }
        }
        FleetArrays fleet = old.withFree(old.open(), cpu, memory, pods, free, old.deviceWhole(), units, nics);
        return new Snapshot(before.revision() + 1, before.names(), fleet, queues(before, used), before.mix());
    }

    private static QueueShares queues(Snapshot before, Map<QueueId, Map<QuotaKey, Use>> used) {
        Map<QueueId, QueueShares.Share> shares = new HashMap<>();
        before.queues()
                .queues()
                .forEach((id, share) -> shares.put(
                        id,
                        new QueueShares.Share(
                                share.path(),
                                share.parent(),
                                share.rules(),
                                share.quotas(),
                                used.get(id),
                                share.past())));
        return new QueueShares(shares, before.queues().lanes());
    }

    private static void count(
            Snapshot before, Map<QueueId, Map<QuotaKey, Use>> used, WaitingJob job, QuotaKey key, long amount) {
        for (QueueId q = job.queue();
                q != null;
                q = before.queues().queues().get(q).parent()) {
            used.get(q).merge(key, Use.NONE.plus(job.lane(), amount), (held, more) -> held.plus(job.lane(), amount));
        }
    }

    /** Where the id is; ids need not be in order. */
    public static int indexOf(long[] ids, long id) {
        for (int i = 0; i < ids.length; i++) {
            if (ids[i] == id) {
                return i;
            }
        }
        throw new AssertionError("no such device or group of NICs: " + id);
    }
}
