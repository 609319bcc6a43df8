package dev.tutti.allocator.evict;

import dev.tutti.allocator.RunningJob;
import dev.tutti.allocator.WaitingJob;
import dev.tutti.allocator.fit.Request;
import dev.tutti.allocator.quota.QuotaCheck;
import dev.tutti.model.job.Lane;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Who may take from whom. Of its own queue a job takes from weaker lanes, and of its own lane from lower priorities. Of other
 * queues a green or yellow job takes from red ones, and from yellow ones what was promised to its own queue. It says nothing of
 * whether that helps.
 */
final class Rights {

    /** Weakest strength that some job of each queue has. */
    private final Map<Integer, Long> weakest = new HashMap<>();

    private final Set<Integer> queuesWithYellow = new HashSet<>();
    private boolean anyRed;

    /** Whoever has no rights over any of these has none over fewer. */
    Rights(Collection<RunningJob> running, QuotaCheck quota) {
        for (RunningJob job : running) {
            int queue = quota.numberOf(job.queue());
            weakest.merge(queue, strength(job.lane(), job.priority()), Math::min);
            anyRed |= job.lane() == Lane.RED;
            if (job.lane() == Lane.YELLOW) {
                queuesWithYellow.add(queue);
            }
        }
    }

    /** Whether there may be one that the job may take from. */
    boolean hasSome(Claimant claimant, QuotaCheck quota) {
        WaitingJob job = claimant.job();
        Long ofQueue = weakest.get(claimant.queue());
        if (ofQueue != null && ofQueue < strength(job.lane(), job.priority())) {
            return true;
        }
        if (job.lane() == Lane.RED) {
            return false;
        }
        return anyRed
                || queuesWithYellow.stream()
                        .anyMatch(other -> other != claimant.queue() && mayReclaim(claimant, other, quota));
    }

    private static boolean mayReclaim(Claimant claimant, int other, QuotaCheck quota) {
        Request request = claimant.request();
        if (other < 0) {
            return false;
        }
        boolean[] promised = null;
        for (int f = 0; f < claimant.flavors().length; f++) {
            if (claimant.flavors()[f] && quota.isOverdrawn(other, claimant.queue(), f, request)) {
                promised = promised == null ? quota.promisedFlavors(claimant.queue(), other, request) : promised;
                if (promised[f]) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Whether the running job is weaker than one of its own queue that waits. */
    static boolean isWeaker(RunningJob running, WaitingJob waiting) {
        return strength(running.lane(), running.priority()) < strength(waiting.lane(), waiting.priority());
    }

    private static long strength(Lane lane, int priority) {
        return ((long) -lane.ordinal() << 32) + priority;
    }
}
