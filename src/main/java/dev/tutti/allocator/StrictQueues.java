package dev.tutti.allocator;

import dev.tutti.allocator.fit.Request;
import dev.tutti.allocator.fit.Resource;
import dev.tutti.allocator.fit.Room;
import dev.tutti.allocator.quota.LimitCheck;
import java.util.HashMap;
import java.util.Map;

/**
 * Within one plan, the flavors that jobs of strict queues wait for: a job behind them in the same queue does not take
 * those. Other flavors stay open to it, so that a job that waits for one flavor never keeps back those for another. A job
 * with GPUs waits for GPUs, so pods without any pass it; a job without waits for CPU.
 */
final class StrictQueues {

    private final int flavors;
    /** By number of the queue. */
    private final Map<Integer, boolean[]> gpus = new HashMap<>();

    private final Map<Integer, boolean[]> cpu = new HashMap<>();
    /** The same of all that wait, also where as many jobs run as may. */
    private final Map<Integer, boolean[]> gpusOfAll = new HashMap<>();

    private final Map<Integer, boolean[]> cpuOfAll = new HashMap<>();

    StrictQueues(int flavors) {
        this.flavors = flavors;
    }

    /** A job of the class could not start. It waits for those of its flavors on which limits of whole nodes let it start. */
    void waits(JobClass kind, Request request, LimitCheck limits) {
        Request asked = kind.request;
        note(
                hasGpus(request) ? gpus : cpu,
                kind,
                asked == null ? kind.flavors : limits.open(kind.account, asked, kind.flavors));
    }

    /** The same, or it would not once one job less runs. */
    void wouldWait(JobClass kind, Request request) {
        note(hasGpus(request) ? gpusOfAll : cpuOfAll, kind, kind.flavors);
    }

    private void note(Map<Integer, boolean[]> waitedFor, JobClass kind, boolean[] waitsFor) {
        boolean[] all = waitedFor.computeIfAbsent(kind.queueNumber, fresh -> new boolean[flavors]);
        for (int f = 0; f < flavors; f++) {
            all[f] |= waitsFor[f];
        }
    }

    private static boolean hasGpus(Request request) {
        for (int s = 0; s < request.sets(); s++) {
            if (Resource.GPUS.of(request.shape(s)) > 0) {
                return true;
            }
        }
        return false;
    }

    /**
     * Leaves a job of the class no room on flavors that a job before it waits for.
     *
     * @param room what the job may take of each flavor
     * @return whether anything was left out
     */
    boolean keepOff(JobClass kind, Room room) {
        return close(gpus, Resource.GPUS, kind, room) | close(cpu, Resource.CPU, kind, room);
    }

    /** Whether one before it would start first, or keep it back, once somebody has left because too many run. */
    boolean keepsFromAsking(JobClass kind) {
        Room room = Room.unlimited(flavors);
        return close(gpusOfAll, Resource.GPUS, kind, room) | close(cpuOfAll, Resource.CPU, kind, room);
    }

    private boolean close(Map<Integer, boolean[]> waitedFor, Resource resource, JobClass kind, Room room) {
        boolean[] all = waitedFor.get(kind.queueNumber);
        boolean any = false;
        for (int f = 0; all != null && f < flavors; f++) {
            any |= all[f] && kind.flavors[f] && room.close(resource, f);
        }
        return any;
    }
}
