package dev.tutti.allocator;

import dev.tutti.allocator.fit.Request;
import dev.tutti.allocator.fit.Resource;
import dev.tutti.allocator.fit.Room;
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

    StrictQueues(int flavors) {
        this.flavors = flavors;
    }

    /**
     * A job of the class could not start.
     *
     * @param request what it asks for, on the flavors that its limits leave it
     */
    void waits(JobClass kind, Request request) {
        Map<Integer, boolean[]> waitedFor = hasGpus(request) ? gpus : cpu;
        boolean[] all = waitedFor.computeIfAbsent(kind.queueNumber, fresh -> new boolean[flavors]);
        for (int s = 0; request != kind.request && s < request.sets(); s++) {
            for (int flavor : request.flavors(s)) {
                all[flavor] = true;
            }
        }
        for (int f = 0; request == kind.request && f < flavors; f++) {
            all[f] |= kind.flavors[f];
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

    private boolean close(Map<Integer, boolean[]> waitedFor, Resource resource, JobClass kind, Room room) {
        boolean[] all = waitedFor.get(kind.queueNumber);
        boolean any = false;
        for (int f = 0; all != null && f < flavors; f++) {
            any |= all[f] && kind.flavors[f] && room.close(resource, f);
        }
        return any;
    }
}
