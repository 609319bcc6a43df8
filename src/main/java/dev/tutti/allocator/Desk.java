package dev.tutti.allocator;

import dev.tutti.allocator.WaitingBook.Group;
import dev.tutti.allocator.board.Board;
import dev.tutti.allocator.board.Layout;
import dev.tutti.allocator.board.Trail;
import dev.tutti.allocator.fit.Ranking;
import dev.tutti.allocator.fit.Request;
import dev.tutti.allocator.fit.Room;
import dev.tutti.allocator.fit.Search;
import dev.tutti.allocator.policy.Mix;
import dev.tutti.allocator.policy.Policy;
import dev.tutti.allocator.quota.QuotaCheck;
import dev.tutti.model.QueueId;
import java.util.Objects;
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
    private final Feasibility feasibility;
    private final FleetFollower fleet;
    private Snapshot snapshot;
    private Mix mix;
    private QueueShares queues;
    private Search search;
    private PlacementWriter writer;
    private @Nullable WaitReasons reasons;
    private StrictQueues ahead;
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
        classes = new JobClasses(layout, snapshot.names(), quota);
        mix = snapshot.mix();
        ranking = new Ranking(board, policy.over(board, mix));
        search = new Search(board, ranking);
        ahead = new StrictQueues(layout.flavors());
        trail = new Trail(board);
        feasibility = new Feasibility(snapshot, layout, quota, policy);
        writer = new PlacementWriter(snapshot, layout);
    }

    /** Whether the snapshot has the nodes, devices and queues of this desk. */
    boolean follows(Snapshot next) {
        return next.names() == snapshot.names()
                && next.fleet().hasShapeOf(snapshot.fleet())
                && quota.knows(next.queues());
    }

    /** Takes in what changed, and takes back what the last plan took. */
    void begin(Snapshot next) {
        boolean isSameMix = next.mix() == mix;
        isMixNew = !isSameMix;
        isQuotaNew = next.queues() != queues || placedSomething;
        placedSomething = false;
        ahead = new StrictQueues(layout.flavors());
        areRulesNew = isQuotaNew && quota.follow(next.queues());
        fleet.follow(next.fleet());
        if (!isSameMix) {
            ranking.use(policy.over(board, next.mix()));
        }
        snapshot = next;
        mix = next.mix();
        queues = next.queues();
        search = new Search(board, ranking);
        writer = new PlacementWriter(next, layout);
        reasons = null;
    }

    /** Whether all is as it was at the last decision, and nothing was placed since. */
    boolean isQuiet() {
        return !isMixNew && !isQuotaNew && !placedSomething && !fleet.changed();
    }

    JobClass kindOf(Group group) {
        JobClass kind = group.kind;
        if (kind == null || group.desk != this) {
            WaitingJob like = group.like;
            kind = classes.make(like.queue(), like.lane(), like.podSets(), like.topology());
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

    /** Forgets what came of the class's jobs before. */
    void beginTurns(JobClass kind) {
        kind.failed = false;
        kind.keptBack = false;
    }

    /** Starts the job if it fits now; null when it does not. */
    Plan.@Nullable Placement start(WaitingJob job, JobClass kind) {
        Room room = room(kind);
        boolean isKeptOff = ahead.keepOff(kind, room);
        boolean started = place(kind, room);
        kind.failed = !started && !isKeptOff;
        kind.failedForSure = kind.failed && search.isCertain();
        kind.keptBack = !started && isKeptOff;
        if (!started) {
            if (canBeTried(kind)
                    && quota.isStrict(kind.queueNumber)
                    && !reasons().isNever(kind)) {
                ahead.waits(kind, Objects.requireNonNull(kind.request));
            }
            return null;
        }
        placedSomething = true;
        Plan.Placement placement = writer.write(job, trail, quota, kind.queueNumber);
        trail.keep();
        return placement;
    }

    /** What would start of the job now; takes nothing. */
    Trial.Answer startAlone(WaitingJob job) {
        JobClass kind = classes.make(job.queue(), job.lane(), job.podSets(), job.topology());
        if (!canBeTried(kind)) {
            return Trial.Answer.NONE;
        }
        boolean started = place(kind, room(kind));
        Trial.Answer answer = new Trial.Answer(trail.size(), trail.gpuMilli(), started || search.isCertain());
        trail.undoTo(0);
        return answer;
    }

    private boolean canBeTried(JobClass kind) {
        return kind.request != null && kind.queueNumber >= 0 && !quota.isHeld(kind.queueNumber);
    }

    private boolean place(JobClass kind, Room room) {
        Request request = kind.request;
        return request != null && canBeTried(kind) && search.place(request, room, trail);
    }

    /** Whether what is known of why the class waits may no longer be true. */
    boolean needsExplaining(JobClass kind) {
        return !kind.explained
                || isMixNew
                || fleet.concerns(kind.flavors)
                || (isQuotaNew || placedSomething) && !hasQuotaSeen(kind);
    }

    /** Finds out why the class waits, at the state after all placements. */
    void explain(JobClass kind) {
        kind.explain(reasons().find(kind));
        kind.roomSeen = room(kind);
    }

    private WaitReasons reasons() {
        WaitReasons now = reasons;
        if (now == null) {
            now = new WaitReasons(feasibility, board, ranking, quota);
            reasons = now;
        }
        return now;
    }

    private boolean hasQuotaSeen(JobClass kind) {
        return room(kind).isSameAs(kind.roomSeen)
                && (kind.queueNumber < 0
                        || quota.limits(kind.queueNumber, kind.lane).isSameAs(kind.limitsSeen));
    }

    private boolean hasMoreRoom(JobClass kind) {
        return room(kind).isMoreThan(kind.roomSeen, kind.flavors);
    }

    /** What a job of the class may take of each flavor; less than nothing in a queue that is held or unknown. */
    private Room room(JobClass kind) {
        if (kind.queueNumber >= 0 && !quota.isHeld(kind.queueNumber)) {
            return quota.room(kind.queueNumber, kind.lane);
        }
        return Room.none(layout.flavors());
    }
}
