package dev.tutti.allocator.reserve;

import dev.tutti.allocator.RunningBook;
import dev.tutti.allocator.RunningJob;
import dev.tutti.allocator.WaitingJob;
import dev.tutti.allocator.board.Board;
import dev.tutti.allocator.board.Hold;
import dev.tutti.allocator.board.Piece;
import dev.tutti.allocator.fit.Request;
import dev.tutti.allocator.fit.Room;
import dev.tutti.allocator.quota.Account;
import dev.tutti.allocator.quota.QuotaCheck;
import dev.tutti.model.JobId;
import dev.tutti.model.QueueId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
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
    private final Savings savings;
    /** Running jobs by queue; put together when it is first asked for. */
    private final Map<QueueId, List<RunningJob>> runningOf = new HashMap<>();

    private RunningBook book = new RunningBook();
    private boolean isAsBefore;
    /** Jobs for which a time was looked for, in order, and what was found. */
    private List<Try> tries = new ArrayList<>();

    private List<Try> triesBefore = List.of();
    private int placeTries;
    private long nowMicros;

    public Reservations(Board board, QuotaCheck quota, Holdings holdings, Ends ends) {
        this.board = board;
        this.quota = quota;
        this.holdings = holdings;
        this.ends = ends;
        this.savings = new Savings(board.layout());
    }

    private record Try(JobId job, Request request, @Nullable Reservation found) {}

    /** A reservation whose capacity is hidden now. */
    private record Laid(Reservation reservation, Account account, Hold.Hidden hidden) {}

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
            runningOf.clear();
            endings = endings.follow(running, ends, now);
            runningSeen = running.changes();
        }
        holdings = holdingsNow;
        nowMicros = now;
        before = laid.stream().map(Laid::reservation).toList();
        beforeOf.clear();
        before.forEach(each -> beforeOf.put(each.job(), each));
        book = running;
        laid = new ArrayList<>();
        savings.clear();
        queues.clear();
        placeTries = 0;
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

    /** Whether something that a job of the queue could use is kept for a job whose turn was before. */
    public boolean areAny(int queue) {
        return !laid.isEmpty() || savings.of(queue) != null;
    }

    /** Those of this decision, in order of turn. */
    public List<Reservation> all() {
        return laid.stream().map(Laid::reservation).toList();
    }

    /** Whether a job of the queue that cannot start may get a time. */
    public boolean hasRight(int queue) {
        return endings.size() > 0 && laid.size() < MOST && placeTries < MOST_TRIES && !queues.contains(queue);
    }

    /** Whether the queue may save of its promise for a job of it that cannot start. */
    public boolean maySave(int queue) {
        return endings.size() > 0 && !queues.contains(queue) && savings.hasRight(queue);
    }

    /**
     * Lets the job's queue save of its promise what the job needs.
     *
     * @param isGone of running jobs, whether one has left when the job starts: it is leaving, or would for the job
     * @param now quota as it counts
     * @return null when its queue's own jobs are not what stands in its way, or it is not known when they end
     */
    public @Nullable Reservation save(
            WaitingJob job, Account account, Request request, Predicate<RunningJob> isGone, QuotaCheck now) {
        if (runningOf.isEmpty()) {
            book.jobs()
                    .forEach(each -> runningOf
                            .computeIfAbsent(each.queue(), first -> new ArrayList<>())
                            .add(each));
        }
        Savings.Ask ask = new Savings.Ask(job.job(), account.queue(), request, isGone, now);
        Reservation found = savings.save(ask, runningOf.getOrDefault(job.queue(), List.of()), ends);
        tries.add(new Try(job.job(), request, found));
        if (found != null) {
            queues.add(account.queue());
        }
        return found;
    }

    /** What is left of the room for a job behind one for which its queue saves. */
    public Room limit(Room room, Account account, long mayRunSeconds) {
        return savings.limit(room, account.queue(), account.lane(), ends.of(mayRunSeconds, nowMicros));
    }

    /** A job has started. */
    public void started(List<Piece> place, Account account, long mayRunSeconds) {
        savings.started(place, account.queue(), account.lane(), ends.of(mayRunSeconds, nowMicros));
    }

    /**
     * Looks for the time at which a job can start, and hides what it needs then.
     *
     * @param account as whose it counts
     * @param room what it may take of each flavor by quota
     * @param mayRunSeconds how long it may hold what it gets; 0 for as long as it likes
     * @return null when it does not fit after all ends that are known
     */
    public @Nullable Reservation reserve(JobId job, Account account, Request request, Room room, long mayRunSeconds) {
        int queue = account.queue();
        int now = tries.size();
        Reservation found = isAsBefore
                        && now < triesBefore.size()
                        && triesBefore.get(now).job().equals(job)
                        && triesBefore.get(now).request() == request
                ? triesBefore.get(now).found()
                : plan(job, queue, request, room, mayRunSeconds);
        tries.add(new Try(job, request, found));
        placeTries++;
        if (found != null) {
            queues.add(queue);
            laid.add(new Laid(found, account, found.hold().hide(board)));
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
    public @Nullable Reservation firstDelayedBy(int queue, long mayRunSeconds) {
        long end = ends.of(mayRunSeconds, nowMicros);
        Reservation saved = savings.of(queue);
        return saved != null && saved.startMicros() < end
                ? saved
                : laid.stream()
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
        savings.clear();
        laid.forEach(each -> {
            each.hidden.lift();
            count(each, quota, -1);
        });
    }

    /** Counts what a job will take against its quota, and that it will run. */
    private void count(Laid each, QuotaCheck of, int sign) {
        of.runs().count(each.account, sign);
        each.reservation
                .place()
                .count(
                        board.layout(),
                        (position, gpuMilli, cpuMilli, memoryMib) -> of.promise(
                                each.account,
                                board.layout().flavor[position],
                                sign * gpuMilli,
                                sign * cpuMilli,
                                sign * memoryMib));
    }
}
