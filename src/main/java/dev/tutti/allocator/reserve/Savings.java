package dev.tutti.allocator.reserve;

import dev.tutti.allocator.Plan.PodPlacement;
import dev.tutti.allocator.RunningJob;
import dev.tutti.allocator.board.Hold;
import dev.tutti.allocator.board.Layout;
import dev.tutti.allocator.board.Piece;
import dev.tutti.allocator.board.Place;
import dev.tutti.allocator.fit.Request;
import dev.tutti.allocator.fit.Resource;
import dev.tutti.allocator.fit.Room;
import dev.tutti.allocator.quota.QuotaCheck;
import dev.tutti.model.JobId;
import dev.tutti.model.job.Lane;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What queues save of their own promise for a job that is first in line. Smaller jobs behind it would take whatever its queue's
 * jobs give back; what other queues borrow meanwhile comes back when it is asked for. So it is enough to know when the queue's
 * own jobs leave as much of the promise as it needs, and to let nobody of the queue take that who would still run then.
 */
final class Savings {

    /** So many queues save at once. */
    static final int MOST = 64;

    private final Layout layout;
    private final Map<Integer, Saving> ofQueue = new HashMap<>();
    private int tries;

    Savings(Layout layout) {
        this.layout = layout;
    }

    /**
     * @param from when the job's queue has saved enough; its place and end are open
     * @param spare what the queue's other jobs leave beside it then
     */
    private record Saving(Reservation from, Room spare) {}

    /**
     * What a search is about.
     *
     * @param isGone of running jobs, whether one has left when the job starts: it is leaving, or would for the job
     * @param quota as it counts now
     */
    record Ask(JobId job, int queue, Request request, Predicate<RunningJob> isGone, QuotaCheck quota) {}

    void clear() {
        ofQueue.clear();
        tries = 0;
    }

    /** Whether a queue that saves nothing may do so. */
    boolean hasRight(int queue) {
        return ofQueue.size() < MOST && tries < MOST && !ofQueue.containsKey(queue);
    }

    @Nullable
    Reservation of(int queue) {
        Saving saving = ofQueue.get(queue);
        return saving == null ? null : saving.from;
    }

    /**
     * Saves what the job needs.
     *
     * @param own running jobs of its queue
     * @return from when on there is enough; null when its queue's own jobs are not what stands in its way, or it is not known
     *     when they end
     */
    @Nullable
    Reservation save(Ask ask, List<RunningJob> own, Ends ends) {
        tries++;
        Room left = ask.quota.unclaimed(ask.queue);
        own.stream().filter(ask.isGone).forEach(job -> giveBack(left, job));
        long start = Ends.UNKNOWN;
        if (!isEnough(ask, left)) {
            List<RunningJob> staying =
                    new ArrayList<>(own.stream().filter(ask.isGone.negate()).toList());
            staying.sort(
                    Comparator.comparingLong((RunningJob job) -> ends.of(job)).thenComparing(RunningJob::job));
            start = whenEnough(ask, left, staying, ends);
        }
        if (start == Ends.UNKNOWN) {
            return null;
        }
        Reservation from = new Reservation(ask.job, ask.queue, start, Ends.UNKNOWN, new Place(List.of()), Hold.NOTHING);
        ofQueue.put(ask.queue, new Saving(from, beside(ask, left)));
        return from;
    }

    private long whenEnough(Ask ask, Room left, List<RunningJob> inOrder, Ends ends) {
        for (int i = 0; i < inOrder.size(); ) {
            long now = ends.of(inOrder.get(i));
            if (now == Ends.UNKNOWN) {
                return Ends.UNKNOWN;
            }
            for (; i < inOrder.size() && ends.of(inOrder.get(i)) == now; i++) {
                giveBack(left, inOrder.get(i));
            }
            if (isEnough(ask, left)) {
                return now;
            }
        }
        return Ends.UNKNOWN;
    }

    private static boolean isEnough(Ask ask, Room left) {
        return ask.request.within(left).hasFlavors();
    }

    private Room beside(Ask ask, Room left) {
        Room spare = Room.unlimited(layout.flavors());
        for (int[] choice : ask.request.allChoices()) {
            if (ask.request.isWithin(left, choice)) {
                for (int flavor : choice) {
                    for (Resource resource : Room.RESOURCES) {
                        long need = ask.request.leastOf(resource, flavor, choice);
                        if (need > 0 && left.of(resource, flavor) != Room.UNLIMITED) {
                            spare.limit(resource, flavor, left.of(resource, flavor) - need);
                        }
                    }
                }
                return spare;
            }
        }
        return spare;
    }

    private void giveBack(Room left, RunningJob job) {
        if (job.lane() == Lane.RED) {
            return;
        }
        for (PodPlacement member : job.members()) {
            int flavor = layout.flavorOf(member.flavor());
            if (flavor >= 0) {
                add(left, Resource.GPUS, flavor, (long) member.devices().size() * member.milliPerDevice());
                add(left, Resource.CPU, flavor, member.cpuMilli());
                add(left, Resource.MEMORY, flavor, member.memoryMib());
            }
        }
    }

    private static void add(Room room, Resource resource, int flavor, long amount) {
        if (room.of(resource, flavor) != Room.UNLIMITED) {
            room.limit(resource, flavor, room.of(resource, flavor) + amount);
        }
    }

    /** What is left of the room for a job of the queue that ends then. */
    Room limit(Room room, int queue, Lane lane, long endMicros) {
        Saving saving = ofQueue.get(queue);
        return saving == null || lane == Lane.RED || endMicros <= saving.from.startMicros()
                ? room
                : room.and(saving.spare);
    }

    /** A job of the queue has started. */
    void started(List<Piece> place, int queue, Lane lane, long endMicros) {
        Saving saving = ofQueue.get(queue);
        if (saving == null || lane == Lane.RED || endMicros <= saving.from.startMicros()) {
            return;
        }
        for (Piece piece : place) {
            int flavor = layout.flavor[piece.position()];
            add(saving.spare, Resource.GPUS, flavor, -piece.gpuMilli());
            add(saving.spare, Resource.CPU, flavor, -piece.cpuMilli());
            add(saving.spare, Resource.MEMORY, flavor, -piece.memoryMib());
        }
    }
}
