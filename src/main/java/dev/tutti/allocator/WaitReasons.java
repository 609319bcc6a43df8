package dev.tutti.allocator;

import dev.tutti.allocator.board.Board;
import dev.tutti.allocator.board.Trail;
import dev.tutti.allocator.fit.Apartness;
import dev.tutti.allocator.fit.Measure;
import dev.tutti.allocator.fit.NodeChoice;
import dev.tutti.allocator.fit.Request;
import dev.tutti.allocator.fit.Resource;
import dev.tutti.allocator.fit.Room;
import dev.tutti.allocator.fit.Search;
import dev.tutti.allocator.quota.LimitCheck;
import dev.tutti.allocator.quota.QuotaCheck;
import dev.tutti.allocator.reason.Affinity;
import dev.tutti.allocator.reason.Bottleneck;
import dev.tutti.allocator.reason.LimitReasons;
import dev.tutti.allocator.reason.QuotaShortage;
import dev.tutti.allocator.reason.Sentences;
import dev.tutti.allocator.reason.Shortage;
import dev.tutti.model.life.Reason;
import dev.tutti.model.life.ReasonCode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Why a class of jobs waits: the first code of the ranked list that is true. Asked after all placements, because amounts
 * are of what is left then.
 */
final class WaitReasons {

    private final Feasibility feasibility;
    private final Board board;
    private final QuotaCheck quota;
    private final Search search;
    /** Has steps of its own: which resource is named never costs another class its verdict. */
    private final Search ofNumbers;

    private final Measure measure;

    WaitReasons(Feasibility feasibility, Board board, NodeChoice choice, QuotaCheck quota) {
        this.feasibility = feasibility;
        this.board = board;
        this.quota = quota;
        this.search = new Search(board, choice);
        this.ofNumbers = new Search(board, choice);
        this.measure = new Measure(board, choice);
    }

    /** Why the class waits; null when nothing but a back-off keeps it from starting. */
    @Nullable
    Reason find(JobClass kind) {
        Reason never = never(kind);
        if (never != null || kind.request == null) {
            return never;
        }
        if (quota.isHeld(kind.queueNumber)) {
            return Sentences.queueHeld();
        }
        Long opens = quota.lanes().opens(kind.lane);
        if (opens != null) {
            return Sentences.laneClosed(kind.lane, opens);
        }
        LimitCheck.Met met = kind.grows ? null : quota.runs().met(kind.account, kind.request);
        if (met != null) {
            return LimitReasons.of(met, false);
        }
        Room room = quota.room(kind.account);
        if (isOverQuota(kind.request, room)) {
            return overQuota(kind, kind.request);
        }
        if (quota.lanes().isUsedUp(kind.lane)) {
            return ofRate(kind, kind.request, room);
        }
        return kind.keptBack ? behindOthers(kind.request, room) : lack(kind, kind.request, room);
    }

    /** Only the rate is told of if it is the only thing: no verdict comes and goes with every start of the lane. */
    private Reason ofRate(JobClass kind, Request request, Room room) {
        return fits(request, room)
                ? Sentences.laneUsedUp(
                        kind.lane, quota.lanes().limit(kind.lane), quota.lanes().nextStartMicros(kind.lane))
                : noPlace(kind, request, room, search.isCertain());
    }

    /** Whether it would fit if it were its turn is not asked: there may be many, and they ask again at every change. */
    private Reason behindOthers(Request request, Room room) {
        Reason tooLittle = Shortage.ofFree(request.within(room), measure);
        return tooLittle == null ? Sentences.keptBack() : tooLittle;
    }

    /** Whether jobs of the class could never start as the fleet and the quotas are. */
    boolean isNever(JobClass kind) {
        return never(kind) != null;
    }

    /**
     * What each that decides says of a job that waits.
     *
     * @param verdict why it waits
     */
    List<Finding> findings(JobClass kind, WaitingJob job, Snapshot snapshot, long nowMicros, Reason verdict) {
        Reason never = kind.queueNumber < 0 ? null : never(kind);
        return new Deciders(snapshot, board, quota, measure).of(kind, job, nowMicros, verdict, never);
    }

    /** Asked again only when the quota changed: the fleet of a board never does. */
    private @Nullable Reason never(JobClass kind) {
        Room limits = kind.queueNumber < 0 ? Room.unlimited(0) : quota.limits(kind.queueNumber, kind.lane);
        if (!limits.isSameAs(kind.limitsSeen)) {
            kind.never = feasibility.whyNever(kind);
            kind.limitsSeen = limits;
        }
        return kind.never != null || kind.queueNumber < 0 ? kind.never : Feasibility.neverRuns(kind, quota);
    }

    /** Of flavors of which quota leaves enough, a limit may leave too little. */
    private Reason overQuota(JobClass kind, Request request) {
        Room byQuota = quota.roomByQuota(kind.account);
        Reason shortage = QuotaShortage.find(kind.lane, request, byQuota, ReasonCode.WAITING_FOR_QUOTA);
        LimitCheck.Met met = shortage == null ? quota.runs().lack(kind.account, request) : null;
        return met == null ? shortage == null ? Sentences.keptBack() : shortage : LimitReasons.of(met, false);
    }

    private static boolean isOverQuota(Request request, Room room) {
        return !request.within(room).hasFlavors();
    }

    private @Nullable Reason lack(JobClass kind, Request request, Room room) {
        boolean isSure = kind.failedForSure;
        if (!kind.failed) {
            if (fits(request, room)) {
                kind.waitsForHeld = kind.heldFor != null;
                return kind.heldFor == null
                        ? null
                        : Sentences.reservedFor(
                                kind.heldFor.queue() == kind.queueNumber ? kind.heldFor.job() : null,
                                kind.heldFor.startMicros());
            }
            isSure = search.isCertain();
        }
        return noPlace(kind, request, room, isSure);
    }

    private Reason noPlace(JobClass kind, Request request, Room room, boolean isSure) {
        Request allowed = request.within(room);
        Reason tooLittle = Shortage.ofFree(allowed, measure);
        if (tooLittle != null) {
            return tooLittle;
        }
        if (allowed.hasBonds() && fits(allowed.withoutBonds(), room)) {
            return Affinity.now(feasibility.names(), kind.podSets, allowed, isSure, new Apartness(board).find(allowed));
        }
        return allowed.isBound() && fits(allowed.anywhere(), room)
                ? ofGang(
                        allowed.withoutBonds(),
                        bottleneck(allowed.withoutBonds(), room),
                        ReasonCode.TOPOLOGY,
                        Sentences.tooFarApart(isSure, request.boundary()),
                        Sentences.advice(request.boundary()))
                : fragmented(allowed.anywhere(), room, Sentences.fragmented(isSure));
    }

    private Reason fragmented(Request request, Room room, String sentence) {
        Resource bottleneck = bottleneck(request, room);
        return Shortage.inPositions(request, bottleneck) == Resource.INSTANCES
                ? ofGang(request, bottleneck, ReasonCode.FRAGMENTED, sentence, "")
                : Shortage.fragmented(request, measure, bottleneck, sentence);
    }

    private Reason ofGang(Request request, Resource bottleneck, ReasonCode code, String sentence, String advice) {
        return Shortage.ofGang(request, measure.largest(request), bottleneck, code, sentence, advice);
    }

    private Resource bottleneck(Request request, Room room) {
        return Bottleneck.of(request, other -> fits(ofNumbers, other, room), measure::most);
    }

    private boolean fits(Request request, Room room) {
        return fits(search, request, room);
    }

    private boolean fits(Search by, Request request, Room room) {
        Trail trail = new Trail(board);
        boolean fits = by.place(request, room, trail);
        trail.undoTo(0);
        return fits;
    }
}
