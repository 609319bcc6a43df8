package dev.tutti.allocator;

import dev.tutti.allocator.board.Board;
import dev.tutti.allocator.board.Layout;
import dev.tutti.allocator.board.Trail;
import dev.tutti.allocator.fit.Apartness;
import dev.tutti.allocator.fit.FirstFit;
import dev.tutti.allocator.fit.Measure;
import dev.tutti.allocator.fit.NodeChoice;
import dev.tutti.allocator.fit.Ranking;
import dev.tutti.allocator.fit.Request;
import dev.tutti.allocator.fit.Room;
import dev.tutti.allocator.fit.Search;
import dev.tutti.allocator.fit.Totals;
import dev.tutti.allocator.fleet.FleetNames;
import dev.tutti.allocator.policy.Policies;
import dev.tutti.allocator.policy.Policy;
import dev.tutti.allocator.quota.LimitCheck;
import dev.tutti.allocator.quota.QuotaCheck;
import dev.tutti.allocator.reason.Absent;
import dev.tutti.allocator.reason.Affinity;
import dev.tutti.allocator.reason.Bottleneck;
import dev.tutti.allocator.reason.LimitReasons;
import dev.tutti.allocator.reason.OnePod;
import dev.tutti.allocator.reason.QuotaShortage;
import dev.tutti.allocator.reason.Sentences;
import dev.tutti.allocator.reason.Shortage;
import dev.tutti.model.QueueId;
import dev.tutti.model.job.Lane;
import dev.tutti.model.job.PodSet;
import dev.tutti.model.job.TopologyWish;
import dev.tutti.model.life.Reason;
import dev.tutti.model.life.ReasonCode;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Could a job ever run on this fleet: if nothing ran, every node were open and every device healthy? It says never only
 * when that is proven; of a job of several pod sets for which no place was found it may not know. Decides nothing about now,
 * and refuses nobody: a job that is too large waits, because a fleet may grow.
 */
public final class Feasibility {

    private final Snapshot snapshot;
    private final Layout layout;
    private final QuotaCheck quota;
    private final JobClasses classes;
    private final Policy policy;
    private @Nullable Board empty;
    private @Nullable NodeChoice choice;
    private @Nullable Measure measure;

    Feasibility(Snapshot snapshot, Layout layout, QuotaCheck quota, Policy policy) {
        this.snapshot = snapshot;
        this.layout = layout;
        this.quota = quota;
        this.policy = policy;
        this.classes =
                new JobClasses(layout, snapshot.names(), quota, snapshot.fleet().nodeId());
    }

    /** Prepares the questions; one object answers any number of them about the same snapshot. */
    public static Feasibility of(Snapshot snapshot) {
        Layout layout = Layout.of(snapshot.names(), snapshot.fleet());
        return new Feasibility(snapshot, layout, new QuotaCheck(snapshot.queues(), layout), Policies.standard());
    }

    /**
     * Why the job could never start as the fleet and the quotas are; empty when it could, or when nobody knows.
     *
     * @return {@code MISCONFIGURED}, {@code NO_MATCHING_FLAVOR}, or {@code EXCEEDS_LIMIT} with the least it needs and the
     *     largest possible
     */
    public synchronized Optional<Reason> whyNever(
            QueueId queue, Lane lane, List<PodSet> podSets, TopologyWish topology) {
        JobClass kind = classes.of(queue, lane, podSets, topology);
        return Optional.ofNullable(whyNever(kind))
                .or(() -> kind.queueNumber < 0 ? Optional.empty() : Optional.ofNullable(neverRuns(kind, quota)));
    }

    /** That its queue, one above it, or its user may never have so much running; null when it may. */
    static @Nullable Reason neverRuns(JobClass kind, QuotaCheck quota) {
        LimitCheck.Met never = quota.runs().never(kind.account, kind.whole);
        return never == null ? null : LimitReasons.of(never, true);
    }

    @Nullable
    Reason whyNever(JobClass kind) {
        Request request = kind.whole;
        if (request == null) {
            return Sentences.unknownLevel(
                    kind.topology, kind.podSets, snapshot.names().levels());
        }
        if (kind.queueNumber < 0) {
            return Sentences.unknownQueue();
        }
        if (!request.hasFlavors()) {
            return kind.podSets.stream().allMatch(set -> Request.hasFlavors(layout, set))
                    ? Absent.node(layout, kind.podSets)
                    : Absent.flavor(layout, kind.podSets);
        }
        for (int s = 0; s < request.sets(); s++) {
            if (!isHeldByANode(request, s)) {
                return OnePod.tooLarge(request, s, kind.podSets.get(s), measure(), layout);
            }
        }
        Room limits = limits(kind);
        if (mayFit(request, limits)) {
            return null;
        }
        Room unlimited = Room.unlimited(layout.flavors());
        return isBoundBy(limits, request) && mayFit(request, unlimited)
                ? boundBy(limits, kind, request)
                : tooLarge(request, kind.podSets, unlimited);
    }

    /** Whether a request of jobs of the class could ever start, or nobody knows. */
    boolean mayEverFit(JobClass kind, @Nullable Request request) {
        return request != null && request.hasFlavors() && mayFit(request, limits(kind));
    }

    /** Whether other flavors may be open to jobs of the class, because quota is not what it was when that was found out. */
    boolean maySayOtherwise(JobClass kind) {
        return kind.open != null && !limits(kind).isSameAs(kind.open.limits());
    }

    /** What quota and limits of whole nodes would leave them if no other job ran. */
    Room limits(JobClass kind) {
        return kind.queueNumber < 0 ? Room.unlimited(layout.flavors()) : quota.limits(kind.queueNumber, kind.lane);
    }

    /**
     * Whether it fits, or is not proven not to: first by sums, because a search for several sets may end without a proof.
     * Where equal pods go does not matter to how many fit, and ranking all nodes for each new kind of pod is dear.
     */
    private boolean mayFit(Request request, Room room) {
        if (request.sets() > 1 && new Totals(empty()).ruleOut(request, room)) {
            return false;
        }
        Trail trail = new Trail(empty());
        NodeChoice any = request.sets() == 1 ? new FirstFit(empty()) : choice();
        Search search = new Search(empty(), any);
        boolean fits = search.place(request, room, trail);
        trail.undoTo(0);
        return fits || !search.isCertain();
    }

    private boolean isHeldByANode(Request request, int set) {
        return Arrays.stream(request.flavors(set)).anyMatch(f -> layout.canHold(f, request.shape(set)));
    }

    private Reason boundBy(Room limits, JobClass kind, Request request) {
        Reason byQuota = QuotaShortage.find(kind.lane, request, limits, ReasonCode.EXCEEDS_LIMIT);
        return byQuota != null
                ? byQuota
                : LimitReasons.of(
                        Objects.requireNonNull(quota.runs().lackIdle(kind.queueNumber, request), "it is bound"), true);
    }

    /** Whether quota or a limit forbids some choice of flavors. */
    private static boolean isBoundBy(Room limits, Request request) {
        return Arrays.stream(request.allChoices()).anyMatch(choice -> !request.isWithin(limits, choice));
    }

    private Reason tooLarge(Request request, List<PodSet> podSets, Room unlimited) {
        if (request.hasBonds() && mayFit(request.withoutBonds(), unlimited)) {
            return Affinity.never(snapshot.names(), podSets, request, new Apartness(empty()).find(request));
        }
        boolean isTooFar = mayFit(request.anywhere(), unlimited);
        Request limited = isTooFar ? request.withoutBonds() : request.anywhere();
        boolean isOneCluster = snapshot.names().clusters().size() == 1;
        return Shortage.ofGang(
                limited,
                measure().largest(limited),
                Bottleneck.of(limited, other -> mayFit(other, unlimited), measure()::most),
                ReasonCode.EXCEEDS_LIMIT,
                isTooFar ? Sentences.neverSoNear(request) : Sentences.tooLarge(request, isOneCluster),
                isTooFar ? Sentences.advice(request.boundary()) : "");
    }

    FleetNames names() {
        return snapshot.names();
    }

    private Board empty() {
        if (empty == null) {
            empty = Board.empty(layout, snapshot.fleet());
        }
        return empty;
    }

    private Measure measure() {
        if (measure == null) {
            measure = new Measure(empty(), choice());
        }
        return measure;
    }

    private NodeChoice choice() {
        if (choice == null) {
            choice = new Ranking(empty(), policy.over(empty(), snapshot.mix()));
        }
        return choice;
    }
}
