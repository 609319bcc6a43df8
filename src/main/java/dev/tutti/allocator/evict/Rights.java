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
import java.util.stream.IntStream;

/**
 * Who may take from whom. Of its own queue a job takes from weaker lanes, and of its own lane from lower priorities. Of other
 * queues a green or yellow job takes from red ones, and from yellow ones what was promised to its own queue. A job of a lane
 * that does not preempt takes nothing but what its queue was promised. It says nothing of whether that helps.
 */
public final class Rights {

    /** Weakest strength that some job of each queue has. */
    private final Map<Integer, Long> weakest = new HashMap<>();

    private final Set<Integer> queuesWithYellow = new HashSet<>();
    private final Set<Integer> queuesWithRed = new HashSet<>();

    /** Whoever has no rights over any of these has none over fewer. */
    Rights(Collection<RunningJob> running, QuotaCheck quota) {
        for (RunningJob job : running) {
            int queue = quota.numberOf(job.queue());
            weakest.merge(queue, strength(job.lane(), job.priority()), Math::min);
            if (job.lane() == Lane.RED) {
                queuesWithRed.add(queue);
            }
            if (job.lane() == Lane.YELLOW) {
                queuesWithYellow.add(queue);
            }
        }
    }

    /** Whether there may be one of its own queue that the job may take from. */
    boolean hasSomeOfOwn(Claimant claimant, QuotaCheck quota) {
        WaitingJob job = claimant.job();
        Long ofQueue = quota.lanes().preempts(job.lane()) ? weakest.get(claimant.queue()) : null;
        return ofQueue != null && ofQueue < strength(job.lane(), job.priority());
    }

    /** Whether there may be one that the job may take from. */
    boolean hasSome(Claimant claimant, QuotaCheck quota) {
        WaitingJob job = claimant.job();
        boolean preempts = quota.lanes().preempts(job.lane());
        if (hasSomeOfOwn(claimant, quota)) {
            return true;
        }
        if (job.lane() == Lane.RED) {
            return false;
        }
        return preempts && !queuesWithRed.isEmpty()
                || queuesWithRed.stream()
                        .anyMatch(
                                other -> other != claimant.queue() && other >= 0 && isPromised(claimant, other, quota))
                || queuesWithYellow.stream()
                        .anyMatch(other -> other != claimant.queue() && mayReclaim(claimant, other, quota));
    }

    /** Whether the job stays within what its queue was promised on some flavor that it could run on. */
    private static boolean isPromised(Claimant claimant, int other, QuotaCheck quota) {
        boolean[] promised = quota.promisedFlavors(claimant.queue(), other, claimant.request());
        return IntStream.range(0, promised.length).anyMatch(f -> promised[f] && claimant.flavors()[f]);
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
    public static boolean isWeaker(RunningJob running, WaitingJob waiting) {
        return strength(running.lane(), running.priority()) < strength(waiting.lane(), waiting.priority());
    }

    private static long strength(Lane lane, int priority) {
        return ((long) -lane.ordinal() << 32) + priority;
    }
}
