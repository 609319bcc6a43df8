package dev.tutti.allocator;

import dev.tutti.allocator.board.Board;
import dev.tutti.allocator.board.Layout;
import dev.tutti.allocator.board.Trail;
import dev.tutti.allocator.fit.Ranking;
import dev.tutti.allocator.fit.Request;
import dev.tutti.allocator.fit.Search;
import dev.tutti.allocator.policy.Policies;
import dev.tutti.allocator.policy.Policy;
import dev.tutti.model.Reason;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * The allocator: the cheapest node of the policy for each pod, the smallest domain for gangs, quota exact. Keeps nothing between two decisions,
 * so any number of threads may use one.
 *
 * <p>Reasons are told at the state after all placements of the plan, so that their numbers are the ones a reader finds.
 */
public final class GangAllocator implements Allocator {

    private final Policy policy;

    public GangAllocator() {
        this(Policies.standard());
    }

    /** @param policy ranks the nodes that hold a pod */
    public GangAllocator(Policy policy) {
        this.policy = policy;
    }

    @Override
    public Plan decide(Snapshot snapshot, Collection<WaitingJob> waiting, long nowMicros) {
        return new Decision(snapshot, nowMicros).over(waiting);
    }

    /** One decision: the private copies it works on. */
    private final class Decision {
        private final Snapshot snapshot;
        private final long nowMicros;
        private final Board board;
        private final QuotaCheck quota;
        private final JobClasses classes;
        private final Search search;
        private final Trail trail;
        private final WaitReasons reasons;
        private final PlacementWriter writer;

        Decision(Snapshot snapshot, long nowMicros) {
            this.snapshot = snapshot;
            this.nowMicros = nowMicros;
            Layout layout = Layout.of(snapshot.names(), snapshot.fleet());
            board = Board.free(layout, snapshot.fleet());
            quota = new QuotaCheck(snapshot.queues(), layout);
            classes = new JobClasses(layout, snapshot.names().levels(), quota);
            Ranking ranking = new Ranking(board, policy.over(board, snapshot.mix()));
            search = new Search(board, ranking);
            trail = new Trail(board);
            reasons = new WaitReasons(new Feasibility(snapshot, layout, quota, policy), board, ranking, quota);
            writer = new PlacementWriter(snapshot, layout);
        }

        Plan over(Collection<WaitingJob> waiting) {
            List<WaitingJob> inOrder = new ArrayList<>(waiting);
            inOrder.sort(WaitingJob.ORDER);
            List<Plan.Placement> placements = new ArrayList<>();
            List<WaitingJob> left = new ArrayList<>();
            List<JobClass> leftKinds = new ArrayList<>();
            for (WaitingJob job : inOrder) {
                JobClass kind = classes.of(job.queue(), job.podSets(), job.topology());
                if (job.notBeforeMicros() <= nowMicros && start(kind)) {
                    placements.add(writer.write(job, trail, quota, kind.queueNumber));
                    trail.keep();
                } else {
                    left.add(job);
                    leftKinds.add(kind);
                }
            }
            return new Plan(snapshot.revision(), placements, waits(left, leftKinds));
        }

        private boolean start(JobClass kind) {
            if (kind.failed) {
                return false;
            }
            Request request = kind.request;
            boolean started = request != null
                    && kind.queueNumber >= 0
                    && !quota.isHeld(kind.queueNumber)
                    && search.place(request, quota.room(kind.queueNumber), trail);
            kind.failed = !started;
            return started;
        }

        private List<Plan.Wait> waits(List<WaitingJob> left, List<JobClass> kinds) {
            List<Plan.Wait> waits = new ArrayList<>();
            for (int i = 0; i < left.size(); i++) {
                WaitingJob job = left.get(i);
                Reason reason = reasons.of(kinds.get(i), job.notBeforeMicros() - nowMicros);
                if (job.verdict() == null || job.verdict().code() != reason.code()) {
                    waits.add(new Plan.Wait(job.job(), job.version(), reason));
                }
            }
            return waits;
        }
    }
}
