package dev.tutti.allocator.evict;

import dev.tutti.allocator.Plan;
import dev.tutti.allocator.RunningJob;
import dev.tutti.allocator.WaitingJob;
import dev.tutti.allocator.board.Layout;
import dev.tutti.allocator.quota.QuotaCheck;
import dev.tutti.model.job.Lane;
import dev.tutti.model.life.EndCause;
import java.util.List;

/**
 * Which of the running jobs a waiting one may ask to leave, and as what. A queue is a source of reclaim only while it claims
 * more than it was promised; the last job that is taken from it may go below that.
 */
final class Candidates {

    private Candidates() {}

    /**
     * The units of a running job that the waiting one may take; none when it may take nothing of it.
     *
     * @param isOverLimit whether as many jobs run as may, so that any of its own queue helps that holds nothing any more
     */
    static List<Unit> of(
            RunningJob job,
            Claimant claimant,
            boolean isOverLimit,
            QuotaCheck quota,
            QuotaCheck held,
            Layout layout,
            long nowMicros) {
        WaitingJob waiting = claimant.job();
        boolean isOwn = job.queue().equals(waiting.queue());
        if (!(isOwn && isOverLimit)
                && job.members().stream().noneMatch(member -> isOnFlavor(member, claimant, layout))) {
            return List.of();
        }
        boolean preempts = quota.lanes().preempts(waiting.lane());
        if (isOwn) {
            return preempts && Rights.isWeaker(job, waiting)
                    ? Unit.of(job, EndCause.PREEMPTED, false, nowMicros)
                    : List.of();
        }
        if (waiting.lane() == Lane.RED || job.lane() == Lane.GREEN) {
            return List.of();
        }
        if (job.lane() == Lane.RED) {
            return preempts || isWherePromised(job, claimant, quota, layout)
                    ? Unit.of(job, EndCause.RECLAIMED, false, nowMicros)
                    : List.of();
        }
        return isSource(job, job.members(), claimant, quota, held, layout)
                ? Unit.of(job, EndCause.RECLAIMED, straddles(job, claimant, quota, held, layout), nowMicros)
                : List.of();
    }

    /** Whether a unit may be taken, now that those before it are gone. */
    static boolean mayTake(Unit unit, Claimant claimant, QuotaCheck quota, QuotaCheck held, Layout layout) {
        return unit.cause() == EndCause.PREEMPTED
                || unit.job().lane() == Lane.RED
                || isSource(unit.job(), unit.members(), claimant, quota, held, layout);
    }

    /** Whether some of it is where the waiting job would be within what its queue was promised. */
    private static boolean isWherePromised(RunningJob job, Claimant claimant, QuotaCheck quota, Layout layout) {
        int queue = quota.numberOf(job.queue());
        boolean[] promised = quota.promisedFlavors(claimant.queue(), queue, claimant.request());
        return queue >= 0
                && job.members().stream()
                        .filter(member -> isOnFlavor(member, claimant, layout))
                        .anyMatch(member -> promised[layout.flavorOf(member.flavor())]);
    }

    private static boolean isSource(
            RunningJob job,
            List<Plan.PodPlacement> members,
            Claimant claimant,
            QuotaCheck quota,
            QuotaCheck held,
            Layout layout) {
        int queue = quota.numberOf(job.queue());
        if (queue < 0) {
            return false;
        }
        boolean[] promised = quota.promisedFlavors(claimant.queue(), queue, claimant.request());
        return members.stream()
                .filter(member -> isOnFlavor(member, claimant, layout))
                .mapToInt(member -> layout.flavorOf(member.flavor()))
                .distinct()
                .anyMatch(flavor ->
                        promised[flavor] && held.isOverdrawn(queue, claimant.queue(), flavor, claimant.request()));
    }

    private static boolean straddles(
            RunningJob job, Claimant claimant, QuotaCheck quota, QuotaCheck held, Layout layout) {
        int queue = quota.numberOf(job.queue());
        return job.members().stream()
                .mapToInt(member -> layout.flavorOf(member.flavor()))
                .filter(flavor -> flavor >= 0)
                .distinct()
                .anyMatch(flavor ->
                        held.gpuOverdraft(queue, claimant.queue(), flavor) < milli(job, layout.flavorName(flavor)));
    }

    private static long milli(RunningJob job, String flavor) {
        return job.members().stream()
                .filter(member -> member.flavor().equals(flavor))
                .mapToLong(member -> (long) member.devices().size() * member.milliPerDevice())
                .sum();
    }

    private static boolean isOnFlavor(Plan.PodPlacement member, Claimant claimant, Layout layout) {
        int flavor = layout.flavorOf(member.flavor());
        return flavor >= 0 && claimant.flavors()[flavor];
    }
}
