package dev.tutti.allocator;

import dev.tutti.allocator.evict.Evictions;
import dev.tutti.allocator.evict.Rights;
import dev.tutti.allocator.fit.Request;
import dev.tutti.allocator.fit.Room;
import dev.tutti.allocator.quota.QuotaCheck;
import dev.tutti.allocator.reserve.Reservation;
import dev.tutti.allocator.reserve.Reservations;
import dev.tutti.model.JobId;
import dev.tutti.model.QueueId;
import dev.tutti.model.job.Lane;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Who of those that cannot start is told when it can. A job that has quota gets a place that is kept for it; for one whose
 * quota other jobs of its own queue hold, the queue saves what they give back.
 */
final class StartTimes {

    private final Reservations reservations;
    private final Evictions evictions;
    private final QuotaCheck quota;
    private final Predicate<JobClass> mayEverStart;
    private final Function<JobClass, Room> room;
    private @Nullable JobId turn;

    /**
     * @param mayEverStart whether nothing but capacity and quota keeps jobs of a class from starting, on this fleet
     * @param room what a job of a class may take now
     */
    StartTimes(
            Reservations reservations,
            Evictions evictions,
            QuotaCheck quota,
            Predicate<JobClass> mayEverStart,
            Function<JobClass, Room> room) {
        this.reservations = reservations;
        this.evictions = evictions;
        this.quota = quota;
        this.mayEverStart = mayEverStart;
        this.room = room;
    }

    /** Whether anything may be kept for jobs that cannot start now, or was at the last decision. */
    boolean concernAnybody() {
        return reservations.concernsAnybody();
    }

    /** Whether all is as it was when jobs were looked at last that might get a time. */
    boolean areAsBefore() {
        return reservations.isAsBefore();
    }

    /** Jobs for which a time was looked for in the last decision. */
    List<JobId> askedFor() {
        return reservations.triedBefore();
    }

    /** Whether a job of the queue that cannot start may still get a time. */
    boolean areOpenTo(QueueId queue) {
        int number = quota.numberOf(queue);
        return reservations.hasRight(number) || reservations.maySave(number);
    }

    /** Whether a class must be tried again whatever changed, because of what is kept for others or for one of them. */
    boolean concern(JobClass kind) {
        return kind.reservation != null || kind.waitsForHeld;
    }

    /** Whether a job of the class gets a time when it is its queue's turn and it cannot start. */
    boolean areWantedBy(JobClass kind) {
        return !kind.grows
                && mayEverStart.test(kind)
                && quota.runs().met(kind.account, kind.request) == null
                && (isWithin(kind, room.apply(kind)) || isPromised(kind));
    }

    /** Whether its queue was promised what a job of the class asks for, whatever others of the queue hold of it. */
    private boolean isPromised(JobClass kind) {
        return kind.lane != Lane.RED && isWithin(kind, quota.promised(kind.queueNumber));
    }

    private static boolean isWithin(JobClass kind, Room room) {
        return kind.request != null && kind.request.within(room).hasFlavors();
    }

    /** It is the job's turn; null when it is nobody's any more. */
    void turnOf(@Nullable JobId job) {
        turn = job;
    }

    /** What is left of the room for a job of the class, whose turn it is, if its queue saves for one before it. */
    Room limit(Room room, JobClass kind) {
        // What others leave for a job was counted before its queue began to save.
        return turn != null && evictions.cameFirst(turn)
                ? room
                : reservations.limit(room, kind.account, kind.mayRunSeconds);
    }

    /** Looks for a time for a job that cannot start in this room; null when none is known. */
    @Nullable
    Reservation find(WaitingJob job, JobClass kind, Request request, Room left) {
        if (!areWantedBy(kind)) {
            return null;
        }
        if (isWithin(kind, left)) {
            return reservations.hasRight(kind.queueNumber)
                    ? reservations.reserve(job.job(), kind.account, request, left, kind.mayRunSeconds)
                    : null;
        }
        return reservations.maySave(kind.queueNumber)
                ? reservations.save(job, kind.account, request, other -> isGone(other, job), evictions.later())
                : null;
    }

    /** Whether a running job has left when the other starts, and is counted still. */
    private boolean isGone(RunningJob job, WaitingJob other) {
        return job.leaving()
                ? evictions.later() == quota
                : quota.lanes().preempts(other.lane()) && Rights.isWeaker(job, other);
    }
}
