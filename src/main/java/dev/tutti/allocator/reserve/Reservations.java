package dev.tutti.allocator.reserve;

import dev.tutti.allocator.RunningBook;
import dev.tutti.allocator.board.Board;
import dev.tutti.allocator.board.Hold;
import dev.tutti.allocator.fit.Request;
import dev.tutti.allocator.fit.Room;
import dev.tutti.allocator.quota.QuotaCheck;
import dev.tutti.model.JobId;
import dev.tutti.model.job.Lane;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Which waiting jobs have a time at which they start at the latest, and what is hidden from jobs behind them so that it stays
 * true. Rights go out in the order in which jobs have their turns: one for each queue, and few in all. Between two decisions
 * the times are remembered; nothing is hidden then.
 */
public final class Reservations {

    /** So many jobs have a time at once: each costs a look into the future, and hides what others could use. */
    public static final int MOST = 8;

    /** So many jobs are looked at for it in one decision: of some no end is known that would let them start. */
    private static final int MOST_TRIES = 16;

    private static final long MICROS = 1_000_000;

    private final Board board;
    private final QuotaCheck quota;
    private final Ends ends;
    private Holdings holdings;
    private long runningSeen = -1;
    private Endings endings = Endings.none();
    private List<Laid> laid = new ArrayList<>();
    private List<Reservation> before = List.of();
    private final Map<JobId, Reservation> beforeOf = new HashMap<>();
    private final Set<Integer> queues = new HashSet<>();
    private boolean isAsBefore;
    /** Jobs for which a time was looked for, in order, and what was found. */
    private List<Try> tries = new ArrayList<>();

    private List<Try> triesBefore = List.of();
    private long nowMicros;

    public Reservations(Board board, QuotaCheck quota, Holdings holdings, Ends ends) {
        this.board = board;
        this.quota = quota;
        this.holdings = holdings;
        this.ends = ends;
    }

    private record Try(JobId job, Request request, @Nullable Reservation found) {}

    /** A reservation whose capacity is hidden now. */
    private record Laid(Reservation reservation, int queue, Lane lane, Hold.Hidden hidden) {}

    /** Takes over the times of another on a board of the same nodes and devices. */
    public void remember(Reservations other) {
        laid = new ArrayList<>(other.laid);
        endings = other.endings;
    }

    /**
     * A decision begins.
     *
     * @param holdingsNow reads what running jobs hold of the fleet as it is now
     * @param isSameFleet whether capacity and quota are as they were when the last decision ended
     */
    public void begin(RunningBook running, Holdings holdingsNow, boolean isSameFleet, long now) {
        isAsBefore = isSameFleet && running.changes() == runningSeen;
        if (running.changes() != runningSeen) {
            endings = endings.follow(running, ends, now);
            runningSeen = running.changes();
        }
        holdings = holdingsNow;
        nowMicros = now;
        before = laid.stream().map(Laid::reservation).toList();
        beforeOf.clear();
        before.forEach(each -> beforeOf.put(each.job(), each));
        laid = new ArrayList<>();
        queues.clear();
        triesBefore = tries;
        tries = new ArrayList<>();
    }

    /** What is free is not as it was when the last decision looked. */
    public void lookAgain() {
        isAsBefore = false;
    }

    /** Whether everything is still as it was at the last decision, and so are the times. */
    public boolean isAsBefore() {
        return isAsBefore;
    }

    /** Jobs for which the last decision looked for a time, in order. */
    public List<JobId> triedBefore() {
        return triesBefore.stream().map(Try::job).toList();
    }

    /** Whether some job had a time at the last decision, or could get one now. */
    public boolean concernsAnybody() {
        return endings.size() > 0 || !before.isEmpty();
    }

    /** Whether something is kept for a job whose turn was before. */
    public boolean areAny() {
        return !laid.isEmpty();
    }

    /** Those of this decision, in order of turn. */
    public List<Reservation> all() {
        return laid.stream().map(Laid::reservation).toList();
    }

    /** Whether a job of the queue that cannot start may get a time. */
    public boolean hasRight(int queue) {
        return endings.size() > 0 && laid.size() < MOST && tries.size() < MOST_TRIES && !queues.contains(queue);
    }

    /**
     * Looks for the time at which a job can start, and hides what it needs then.
     *
     * @param queue number of its queue
     * @param room what it may take of each flavor by quota
     * @param mayRunSeconds how long it may hold what it gets; 0 for as long as it likes
     * @return null when it does not fit after all ends that are known
     */
    public @Nullable Reservation reserve(
            JobId job, int queue, Lane lane, Request request, Room room, long mayRunSeconds) {
        int now = tries.size();
        Reservation found = isAsBefore
                        && now < triesBefore.size()
                        && triesBefore.get(now).job().equals(job)
                        && triesBefore.get(now).request() == request
                ? triesBefore.get(now).found()
                : plan(job, queue, request, room, mayRunSeconds);
        tries.add(new Try(job, request, found));
        if (found != null) {
            queues.add(queue);
            laid.add(new Laid(found, queue, lane, found.hold().hide(board)));
            count(laid.get(laid.size() - 1), quota, 1);
        }
        return found;
    }

    private @Nullable Reservation plan(JobId job, int queue, Request request, Room room, long mayRunSeconds) {
        isAsBefore = false;
        Future[] future = new Future[1];
        unhidden(() -> future[0] = new Future(board, endings, holdings, all()));
        Future.Found found = future[0].earliest(request, room, beforeOf.get(job));
        if (found == null) {
            return null;
        }
        long start = Math.max(found.startMicros(), nowMicros - nowMicros % MICROS);
        return new Reservation(
                job,
                queue,
                found.startMicros() == Long.MIN_VALUE ? start : found.startMicros(),
                ends.of(mayRunSeconds, start),
                found.place(),
                found.hold());
    }

    /** The first that a job behind it would delay which starts now; null when there is none. */
    public @Nullable Reservation firstDelayedBy(long mayRunSeconds) {
        long end = ends.of(mayRunSeconds, nowMicros);
        return laid.stream()
                .map(Laid::reservation)
                .filter(each -> each.startMicros() < end)
                .findFirst()
                .orElse(null);
    }

    /**
     * Shows what is kept for jobs that start only after a job has ended that starts now; {@link #hide} hides it again.
     *
     * @return whether there is any
     */
    public boolean show(long mayRunSeconds) {
        long end = ends.of(mayRunSeconds, nowMicros);
        boolean any = false;
        for (Laid each : laid) {
            if (each.reservation.startMicros() >= end) {
                each.hidden.lift();
                count(each, quota, -1);
                any = true;
            }
        }
        return any;
    }

    /** Hides again as much as is left of what {@link #show} showed to the same job. */
    public void hide(long mayRunSeconds) {
        long end = ends.of(mayRunSeconds, nowMicros);
        for (Laid each : laid) {
            if (each.reservation.startMicros() >= end) {
                each.hidden.hide();
                count(each, quota, 1);
            }
        }
    }

    /** Those that a job would delay which starts as soon as others have left for it. */
    public List<Reservation> delayedByClaim(long mayRunSeconds) {
        return delayed(mayRunSeconds).map(Laid::reservation).toList();
    }

    /** Counts those against another account of the same quotas; below 0 takes it back. */
    public void promise(QuotaCheck other, long mayRunSeconds, int sign) {
        delayed(mayRunSeconds).forEach(each -> count(each, other, sign));
    }

    private Stream<Laid> delayed(long mayRunSeconds) {
        long end = ends.of(mayRunSeconds, nowMicros + Endings.LEAVING_MICROS);
        return laid.stream().filter(each -> each.reservation.startMicros() < end);
    }

    /** Does something while nothing is hidden; quota is counted as before. */
    public void unhidden(Runnable what) {
        laid.forEach(each -> each.hidden.lift());
        what.run();
        laid.forEach(each -> each.hidden.hide());
    }

    /** No job is to be tried any more: hides nothing. */
    public void end() {
        laid.forEach(each -> {
            each.hidden.lift();
            count(each, quota, -1);
        });
    }

    /** Counts what a job will take against its quota. */
    private void count(Laid each, QuotaCheck of, int sign) {
        each.reservation
                .place()
                .count(
                        board.layout(),
                        (position, gpuMilli, cpuMilli, memoryMib) -> of.promise(
                                each.queue,
                                each.lane,
                                board.layout().flavor[position],
                                sign * gpuMilli,
                                sign * cpuMilli,
                                sign * memoryMib));
    }
}
