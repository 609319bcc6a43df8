package dev.tutti.control.loop;

import dev.tutti.control.Ledger;
import dev.tutti.model.AllocationId;
import dev.tutti.model.ClusterId;
import dev.tutti.model.JobId;
import dev.tutti.model.life.EndCause;
import dev.tutti.model.life.JobRun;
import dev.tutti.model.life.MemberFact;
import dev.tutti.model.life.MemberPhase;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Ends the quarantine of LOST members: when their node has been ready long enough that nothing of them can still run.
 * What was not watched without a gap is not known, so a gap in the watch makes it wait (house rules R1 and R5).
 */
public final class QuarantineKeeper {

    /** How long a node must have been ready without a break, beside the job's own grace. */
    public static final Duration QUIET = Duration.ofSeconds(60);

    private final ClusterId cluster;
    private final ClusterSync sync;
    private final Ledger ledger;
    private final JobKeeper keeper;

    public QuarantineKeeper(ClusterId cluster, ClusterSync sync, Ledger ledger, JobKeeper keeper) {
        this.cluster = cluster;
        this.sync = sync;
        this.ledger = ledger;
        this.keeper = keeper;
    }

    /** Returns how many members were given free. */
    public int turn() {
        if (!sync.isReady()) {
            return 0;
        }
        Set<AllocationId> over = new HashSet<>(ledger.quarantineOver(cluster, QUIET, sync.watched()));
        if (over.isEmpty()) {
            return 0;
        }
        Set<JobId> jobs = new HashSet<>();
        ledger.runsOf(over).forEach(run -> jobs.add(run.job()));
        keeper.observe(jobs, run -> gone(run, over));
        return over.size();
    }

    private static List<MemberFact> gone(JobRun run, Set<AllocationId> over) {
        return run.members().stream()
                .filter(member -> member.phase() == MemberPhase.LOST && over.contains(member.id()))
                .map(member -> new MemberFact(member.id(), MemberPhase.GONE, member.podUid(), EndCause.NODE_LOST))
                .toList();
    }
}
