package dev.tutti.allocator;

import dev.tutti.allocator.fit.Room;
import java.util.HashMap;
import java.util.Map;

/**
 * Within one plan, the flavors that jobs of strict queues wait for: a job behind them in the same queue does not take
 * those. Other flavors stay open to it, so that a job that waits for one flavor never keeps back those for another.
 */
final class StrictQueues {

    private final int flavors;
    /** By number of the queue. */
    private final Map<Integer, boolean[]> waitedFor = new HashMap<>();

    StrictQueues(int flavors) {
        this.flavors = flavors;
    }

    /** A job of the class could not start. */
    void waits(JobClass kind) {
        boolean[] all = waitedFor.computeIfAbsent(kind.queueNumber, fresh -> new boolean[flavors]);
        for (int f = 0; f < flavors; f++) {
            all[f] |= kind.flavors[f];
        }
    }

    /**
     * Leaves a job of the class no room on flavors that a job before it waits for.
     *
     * @param room what the job may take of each flavor
     * @return whether anything was left out
     */
    boolean keepOff(JobClass kind, Room room) {
        boolean[] all = waitedFor.get(kind.queueNumber);
        boolean any = false;
        for (int f = 0; all != null && f < flavors; f++) {
            any |= all[f] && kind.flavors[f] && room.close(f);
        }
        return any;
    }
}
