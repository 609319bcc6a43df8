package dev.tutti.allocator;

import dev.tutti.allocator.WaitingBook.Group;
import dev.tutti.allocator.board.Board;
import dev.tutti.allocator.board.Layout;
import dev.tutti.allocator.board.Trail;
import dev.tutti.allocator.evict.Claim;
import dev.tutti.allocator.evict.Claimant;
import dev.tutti.allocator.evict.Evictions;
import dev.tutti.allocator.fit.Ranking;
import dev.tutti.allocator.fit.Request;
import dev.tutti.allocator.fit.Room;
import dev.tutti.allocator.fit.Search;
import dev.tutti.allocator.fleet.FleetFollower;
import dev.tutti.allocator.policy.Mix;
import dev.tutti.allocator.policy.Policy;
import dev.tutti.allocator.quota.QuotaCheck;
import dev.tutti.allocator.reserve.LimitEnds;
import dev.tutti.allocator.reserve.Reservations;
import dev.tutti.model.QueueId;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * All that a decision works on, for as long as the fleet has the same nodes and devices and there are the same queues:
 * the board, rankings, quota, and what each group of equal jobs was found to be. It knows what changed since the last
 * decision, and which groups that can concern.
 */
final class Desk {

    private final Policy policy;
    private final Layout layout;
    private final Board board;
    private final Ranking ranking;
    private final QuotaCheck quota;
    private final JobClasses classes;
    private final Trail trail;
    private final FleetFollower fleet;
    private final Reservations reservations;
    private Snapshot snapshot;
    private Mix mix;
    private QueueShares queues;
    private Search search;
    private PlacementWriter writer;
    private final Feasibility feasibility;
    private final Explanations why;
    private StrictQueues ahead;
    private final Evictions evictions;
    private final Asked asked;
    private final StartTimes times;
    private boolean isMixNew;
    private boolean isQuotaNew;
    private boolean areRulesNew;
    private boolean placedSomething;

    Desk(Snapshot snapshot, Policy policy) {
        this.policy = policy;
        this.snapshot = snapshot;
        layout = Layout.of(snapshot.names(), snapshot.fleet());
        board = Board.free(layout, snapshot.fleet());
        fleet = new FleetFollower(board, snapshot.fleet());
        queues = snapshot.queues();
        quota = new QuotaCheck(queues, layout);
        reservations = new Reservations(board, quota, fleet.holdings(), new LimitEnds());
        classes =
                new JobClasses(layout, snapshot.names(), quota, snapshot.fleet().nodeId());
        mix = snapshot.mix();
        ranking = new Ranking(board, policy.over(board, mix));
        search = new Search(board, ranking);
        ahead = new StrictQueues(layout.flavors());
        trail = new Trail(board);
        feasibility = new Feasibility(snapshot, layout, quota, policy);
        why = new Explanations(feasibility, board, ranking, quota, this::room);
        writer = new PlacementWriter(snapshot, layout);
        evictions = new Evictions(snapshot, layout, board, policy, quota, reservations);
        asked = new Asked(evictions);
        times = new StartTimes(
                reservations,
                evictions,
                quota,
                kind -> canBeTried(kind) && !why.reasons().isNever(kind),
                this::room);
    }

    /** Whether the snapshot has the nodes, devices and queues of this desk. */
    boolean follows(Snapshot next) {
        return next.names() == snapshot.names()
                && next.fleet().hasShapeOf(snapshot.fleet())
                && quota.knows(next.queues());
    }

    /** Takes over who has a time, and who had a try, from another desk with the same nodes. */
    void remember(@Nullable Desk before) {
        if (before != null
                && before.snapshot.names() == snapshot.names()
                && before.snapshot.fleet().hasShapeOf(snapshot.fleet())) {
            reservations.remember(before.reservations);
            evictions.remember(before.evictions);
        }
    }

    /** Takes in what changed, and takes back what the last plan took. */
    void begin(Snapshot next, RunningBook running, long nowMicros) {
        boolean isSameMix = next.mix() == mix;
        isMixNew = !isSameMix;
        isQuotaNew = next.queues() != queues || placedSomething;
        placedSomething = false;
        ahead = new StrictQueues(layout.flavors());
        areRulesNew = isQuotaNew && quota.follow(next.queues());
        isQuotaNew |= quota.runs().begin(running);
        quota.lanes().begin(next.queues().lanes(), nowMicros);
        fleet.follow(next.fleet());
        if (!isSameMix) {
            ranking.use(policy.over(board, next.mix()));
        }
        snapshot = next;
        mix = next.mix();
        queues = next.queues();
        search = new Search(board, ranking);
        writer = new PlacementWriter(next, layout);
        why.begin();
        reservations.begin(running, fleet.holdings(), isQuiet(), nowMicros);
    }

    /** Takes in who holds capacity, and keeps what is leaving for those for whom it leaves. */
    void keepPromises(RunningBook running, WaitingBook waiting, long nowMicros) {
        boolean werePromises = evictions.hasPromises();
        fleet.unseen(() -> asked.begin(snapshot, running, waiting, this, nowMicros));
        if (werePromises || evictions.hasPromises()) {
            reservations.lookAgain();
        }
    }

    /** Who was asked to leave, and for whom. */
    Asked asked() {
        return asked;
    }

    /** Whether all is as it was at the last decision, and nothing was placed since. */
    boolean isQuiet() {
        return !isMixNew && !isQuotaNew && !placedSomething && !fleet.changed();
    }

    JobClass kindOf(Group group) {
        JobClass kind = group.kind;
        if (kind == null || group.desk != this || areRulesNew && feasibility.maySayOtherwise(kind)) {
            kind = classes.make(group.like, group.key.mayRunSeconds(), group.key.open(), feasibility);
            group.kind = kind;
            group.desk = this;
        }
        return kind;
    }

    /** Whether a group that could not start might do so now. */
    boolean couldGain(JobClass kind) {
        Request request = kind.request;
        return request != null
                && kind.explained
                && (isMixNew || isQuotaNew && hasMoreRoom(kind) || fleet.mayServe(kind.flavors, request));
    }

    /**
     * Whether other jobs of its queue may now keep back those of the class, or do so no longer, though there is no more room:
     * the queue is strict, or was, and some rule or quota is new.
     */
    boolean mayGetAnotherTurn(JobClass kind) {
        return areRulesNew && (kind.keptBack || quota.isStrict(kind.queueNumber));
    }

    /** Whose turn it is among jobs that are to be tried. */
    Turns turns() {
        return new Turns(quota);
    }

    /** Whether a job of the queue that cannot start keeps those behind it off the flavors it waits for. */
    boolean isStrict(QueueId queue) {
        return quota.isStrict(quota.numberOf(queue));
    }

    /** Queues in which some wait no longer for capacity but for a limit once others start elsewhere. */
    Set<QueueId> queuesWithSharedLimits() {
        return quota.queuesWithSharedLimits();
    }

    /** Forgets what came of the class's jobs before. */
    void beginTurns(JobClass kind) {
        kind.failed = false;
        kind.keptBack = false;
        kind.heldBack = false;
        kind.reservation = null;
        kind.heldFor = null;
        kind.waitsForHeld = false;
    }

    /** Who of those that cannot start gets a time. */
    StartTimes times() {
        return times;
    }

    /** No job is tried any more. */
    List<Plan.Reservation> endTurns() {
        fleet.unseen(reservations::end);
        fleet.unseen(evictions::end);
        return reservations.all().stream().map(writer::write).toList();
    }

    /** Starts the job if it fits now; null when it does not. Then others may be asked to leave for it. */
    Plan.@Nullable Placement start(WaitingJob job, JobClass kind) {
        if (evictions.isPromised(job.job()) && canBeTried(kind)) {
            fleet.unseen(() -> evictions.setOwnPromiseAside(job.job()));
        }
        times.turnOf(job.job());
        Plan.Placement placement = startOrClaim(job, kind);
        times.turnOf(null);
        if (evictions.areAside()) {
            fleet.unseen(evictions::keepPromises);
        }
        return placement;
    }

    private Plan.@Nullable Placement startOrClaim(WaitingJob job, JobClass kind) {
        Room room = room(kind);
        boolean isKeptOff = ahead.keepOff(kind, room);
        boolean started = place(kind, room) || reservations.areAny(kind.queueNumber) && backfill(kind);
        kind.failedForSure = !started && search.isCertain();
        Claimant claimant =
                started || isKeptOff || !canBeTried(kind) && ahead.keepsFromAsking(kind) ? null : claimant(job, kind);
        if (claimant != null && fleet.answerUnseen(() -> asked.passesSome(job))) {
            // Of what others left for somebody else no more than it needs.
            claimant = claimant.least();
            room = room(kind);
            ahead.keepOff(kind, room);
            started = canBeTried(kind) && search.place(claimant.request(), room, trail);
        }
        boolean isHeld = evictions.holdsAny();
        kind.failed = !started && !isKeptOff && !reservations.areAny(kind.queueNumber) && !isHeld && canBeTried(kind);
        kind.failedForSure &= kind.failed;
        kind.heldBack = !started && isHeld;
        kind.keptBack = !started && isKeptOff;
        if (started) {
            return keep(job, kind);
        }
        if (claimant == null || !claim(claimant, kind)) {
            waits(job, kind, room, isKeptOff);
        }
        return null;
    }

    private boolean claim(Claimant claimant, JobClass kind) {
        Claim found = fleet.answerUnseen(() -> evictions.claim(claimant, room -> {
            Room left = times.limit(room, kind);
            ahead.keepOff(kind, left);
            return left;
        }));
        if (found == null) {
            return false;
        }
        asked.add(found);
        if (quota.isStrict(kind.queueNumber)) {
            ahead.waits(kind, claimant.request(), quota.runs());
        }
        return true;
    }

    private Plan.Placement keep(WaitingJob job, JobClass kind) {
        placedSomething = true;
        if (!kind.grows) {
            quota.lanes().started(kind.lane);
            quota.runs().count(kind.account, 1);
        }
        if (reservations.areAny(kind.queueNumber)) {
            reservations.started(trail.pieces(), kind.account, kind.mayRunSeconds);
        }
        if (!evictions.isIdle()) {
            evictions.started(trail.pieces(), kind.account, !kind.grows);
        }
        Plan.Placement placement = writer.write(job, trail, quota, kind.account);
        trail.keep();
        return placement;
    }

    /** Places a job, which found no place, on what is kept for others, if it will have ended before they need it. */
    private boolean backfill(JobClass kind) {
        boolean placed = fleet.answerUnseen(() -> reservations.show(kind.mayRunSeconds));
        if (placed) {
            Room room = room(kind);
            ahead.keepOff(kind, room);
            placed = place(kind, room);
            fleet.unseen(() -> reservations.hide(kind.mayRunSeconds));
        }
        return placed;
    }

    private void waits(WaitingJob job, JobClass kind, Room room, boolean isKeptOff) {
        kind.heldFor = reservations.firstDelayedBy(kind.queueNumber, kind.mayRunSeconds);
        Request request = kind.request;
        if (request == null || kind.grows) {
            return;
        }
        if (quota.isStrict(kind.queueNumber) && mayAsk(kind) && !why.reasons().isNever(kind)) {
            ahead.wouldWait(kind, request);
        }
        if (!Gate.mayHead(kind, quota)) {
            return;
        }
        if (quota.isStrict(kind.queueNumber) && !why.reasons().isNever(kind)) {
            ahead.waits(kind, request, quota.runs());
        }
        if (!isKeptOff) {
            fleet.unseen(() -> kind.reservation = times.find(job, kind, request, room));
        }
    }

    /** What would start of the job now; takes nothing. */
    Trial.Answer startAlone(WaitingJob job) {
        JobClass kind = classes.make(job, 0);
        if (!canBeTried(kind)) {
            return Trial.Answer.NONE;
        }
        boolean started = place(kind, room(kind));
        Trial.Answer answer = new Trial.Answer(trail.size(), trail.gpuMilli(), started || search.isCertain());
        trail.undoTo(0);
        return answer;
    }

    boolean canBeTried(JobClass kind) {
        return kind.request != null && Gate.mayStart(kind, quota);
    }

    /** Whether others may leave for a job of the class, though maybe as many run as may. */
    private boolean mayAsk(JobClass kind) {
        return kind.request != null && Gate.mayAsk(kind, quota);
    }

    /** Whether a job has a turn: it may start, or ask others to leave. One that can never run takes nobody's. */
    boolean hasTurn(WaitingJob job, JobClass kind) {
        return (canBeTried(kind) || claimant(job, kind) != null || quota.isStrict(kind.queueNumber) && mayAsk(kind))
                && mayEverStart(kind);
    }

    /** The job as one that may ask others to leave; null when it may not. */
    @Nullable
    Claimant claimant(WaitingJob job, JobClass kind) {
        Claimant claimant = mayAsk(kind) ? asked.claimant(job, kind) : null;
        return claimant != null && mayEverStart(kind) ? claimant : null;
    }

    /** Costs more than the other questions: asked last. */
    private boolean mayEverStart(JobClass kind) {
        return kind.grows || !why.reasons().isNever(kind);
    }

    private boolean place(JobClass kind, Room room) {
        Request request = kind.request;
        return request != null && canBeTried(kind) && search.place(request, room, trail);
    }

    /** Whether what is known of why the class waits may no longer be true. */
    boolean needsExplaining(JobClass kind) {
        return !kind.explained
                || isMixNew
                || areRulesNew
                || fleet.concerns(kind.flavors)
                || (isQuotaNew || placedSomething) && (quota.lanes().isUsedUp(kind.lane) || !why.isAsSeen(kind));
    }

    /** Finds out why the class waits, at the state after all placements. */
    void explain(JobClass kind) {
        why.explain(kind);
    }

    WaitReasons reasons() {
        return why.reasons();
    }

    private boolean hasMoreRoom(JobClass kind) {
        return room(kind).isMoreThan(kind.roomSeen, kind.flavors);
    }

    /** Whether others leave for the job, and nothing but the rate of its lane keeps it from being tried. */
    boolean isAwaited(WaitingJob job, JobClass kind) {
        return quota.lanes().isUsedUp(kind.lane) && evictions.isPromised(job.job());
    }

    /** Whether what leaves is kept for a job of the class. */
    boolean keepsPromise(JobClass kind) {
        return Gate.keepsPromise(kind, quota);
    }

    /** What a job of the class may take of each flavor; less than nothing where it may not start. */
    private Room room(JobClass kind) {
        if (Gate.mayStart(kind, quota)) {
            return times.limit(evictions.limit(quota.room(kind.account), kind.account, !kind.grows), kind);
        }
        return Room.none(layout.flavors());
    }
}
