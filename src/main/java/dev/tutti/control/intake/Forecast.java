package dev.tutti.control.intake;

import dev.tutti.model.Violation;
import dev.tutti.model.life.Reason;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What would become of a job if it were submitted now, by the real engine on the current state. Nothing is written and
 * nothing promised: others may come first.
 *
 * @param violations what names something that is not there; the rest is then empty
 * @param couldEverRun false when it is certain that it would not start if nothing else were running, every node were
 *     open and every device healthy
 * @param largestPods most pods of this shape for which a place was found then: the job's own number when it has one (of
 *     an elastic job those that would start), else fewer (0 at the least); pod sets shrink alike. Fewer of a job that could
 *     run say that the search stopped before it had tried every way
 * @param largestGpuMilli milli-GPU of those pods
 * @param fitsNow whether it would start now, behind the jobs that wait before it
 * @param nodes where its pods would be, in order of their ranks; empty when it would wait
 * @param reason why it would wait; null when it would start
 * @param position its place in the order of consideration of its queue, from 1, behind those that wait before it; null when it
 *     would start
 * @param startAt when it would start at the latest; null unless a time would be reserved for it
 * @param jobsToGiveWay how many running jobs would be asked to leave, or to give up members, for it
 */
public record Forecast(
        List<Violation> violations,
        boolean couldEverRun,
        int largestPods,
        long largestGpuMilli,
        boolean fitsNow,
        List<NodeShare> nodes,
        @Nullable Reason reason,
        @Nullable Long position,
        @Nullable Instant startAt,
        int jobsToGiveWay) {

    public Forecast {
        violations = List.copyOf(violations);
        nodes = List.copyOf(nodes);
    }

    /**
     * What one node would carry of the job.
     *
     * @param cluster name of its cluster
     * @param node its name
     * @param flavor its flavor
     * @param pods pods of the job on it
     * @param gpuMilli milli-GPU of the job on it
     */
    public record NodeShare(String cluster, String node, String flavor, int pods, long gpuMilli) {}

    static Forecast refused(List<Violation> violations) {
        return new Forecast(violations, false, 0, 0, false, List.of(), null, null, null, 0);
    }
}
