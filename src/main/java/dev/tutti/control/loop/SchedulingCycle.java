package dev.tutti.control.loop;

import dev.tutti.allocator.Allocator;
import dev.tutti.allocator.Plan;
import dev.tutti.allocator.StandingAllocator;
import dev.tutti.allocator.WaitingBook;
import dev.tutti.control.Actor;
import dev.tutti.control.Ledger;
import dev.tutti.control.OutcomeUnknown;
import dev.tutti.control.PlanId;
import dev.tutti.control.Receipt;
import dev.tutti.control.view.ChangeFeed;
import dev.tutti.control.view.FleetMirror;
import dev.tutti.model.JobId;
import dev.tutti.model.fleet.TopologyLevels;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One cycle of the decision: one head query, one decision, one commit. It decides only when something changed that the
 * decision can depend on, and writes nothing when nothing is to be said. Now and then it brings up to date what queues held lately.
 */
public final class SchedulingCycle {

    private final ChangeFeed feed;
    private final StandingAllocator allocator;
    private final Ledger ledger;
    private final Collection<ClusterSync> clusters;
    private final Lease lease;
    private final Supplier<PlanId> planIds;
    private final Alarm alarm;
    private final Actor.Leader leader;
    private final FleetMirror mirror;
    private final JobKeeper keeper;
    private final PastKeeper past;
    private final Set<JobId> unreadable = new HashSet<>();
    private @Nullable PlanId unanswered;
    private boolean again;
    /** What readers were shown last of what is planned for later; null when nobody knows. */
    private @Nullable List<Plan.Reservation> shown;

    private long decidedRevision = -1;
    private long nextWakeMicros = Long.MIN_VALUE;

    /** @param clusters all clusters; nothing is decided before each is known or known to be out of reach */
    public SchedulingCycle(
            ChangeFeed feed,
            Allocator allocator,
            Ledger ledger,
            TopologyLevels levels,
            Collection<ClusterSync> clusters,
            Lease lease,
            Supplier<PlanId> planIds,
            Alarm alarm,
            Actor.Leader leader,
            PastKeeper past) {
        this.feed = feed;
        this.allocator = allocator.standing();
        this.ledger = ledger;
        this.clusters = List.copyOf(clusters);
        this.lease = lease;
        this.planIds = planIds;
        this.alarm = alarm;
        this.leader = leader;
        this.past = past;
        this.mirror = new FleetMirror(levels);
        this.keeper = new JobKeeper(ledger, leader, alarm);
    }

    /** One cycle; returns how many jobs were given their place or made to give theirs up. */
    public int turn() {
        if (!lease.holds() || !clusters.stream().allMatch(ClusterSync::isSettled)) {
            return 0;
        }
        answerLast();
        ChangeFeed.Changes changes = feed.since(mirror.cursor());
        mirror.take(changes);
        endUnreadable(changes);
        past.turn(mirror);
        long now = mirror.nowMicros();
        if (mirror.revision() == decidedRevision && now < nextWakeMicros) {
            return 0;
        }
        WaitingBook waiting = mirror.book();
        Plan plan = waiting.isEmpty()
                ? new Plan(mirror.revision(), List.of(), List.of())
                : allocator.decide(mirror.snapshot(), waiting, mirror.running(), now);
        again = false;
        int changed = plan.isEmpty() ? 0 : commit(plan);
        show(plan.reservations());
        // Only now: a cycle that failed on its way is done again, whether anything changed or not.
        decidedRevision = again || allocator.hasMore() ? -1 : mirror.revision();
        nextWakeMicros = Math.min(
                Math.min(waiting.nextWakeMicros(), mirror.nextLaneChangeMicros()),
                Math.min(mirror.running().nextUnprotectedMicros(now), allocator.nextRetellingMicros()));
        return changed;
    }

    /** They are told of once, and so kept until it is written that they ended. */
    private void endUnreadable(ChangeFeed.Changes changes) {
        unreadable.addAll(changes.unreadable());
        changes.waiting().forEach(job -> unreadable.remove(job.job()));
        if (!unreadable.isEmpty()) {
            unreadable.retainAll(keeper.endUnreadable(unreadable));
        }
    }

    /** Asks what became of a commit whose reply was lost; not there means that it never happened or never will count. */
    private void answerLast() {
        if (unanswered != null) {
            Optional<Receipt> receipt = ledger.receipt(unanswered);
            unanswered = null;
            receipt.ifPresent(this::note);
        }
    }

    private int commit(Plan plan) {
        PlanId id = planIds.get();
        try {
            Receipt receipt = ledger.commit(id, plan, leader);
            note(receipt);
            return receipt.committed().size() + receipt.evicted().size();
        } catch (OutcomeUnknown lost) {
            unanswered = id;
            again = true;
            return 0;
        }
    }

    /** Jobs that start sooner than they were told to leave the list at the next decision. */
    private void show(List<Plan.Reservation> reservations) {
        if (!reservations.equals(shown)) {
            shown = null;
            try {
                ledger.show(reservations, leader);
                shown = reservations;
            } catch (OutcomeUnknown lost) {
                again = true;
            }
        }
    }

    /** What the database refused is our own bug; the ledger lets the job rest, so that it cannot spoil every cycle. */
    private void note(Receipt receipt) {
        again |= !receipt.stale().isEmpty();
        receipt.refused()
                .forEach(
                        (job, why) -> alarm.raise("the database refused what was decided for job " + job + ": " + why));
    }
}
