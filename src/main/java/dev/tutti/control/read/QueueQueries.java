package dev.tutti.control.read;

import dev.tutti.model.FewNames;
import dev.tutti.model.Labels;
import dev.tutti.model.queue.LaneRules;
import dev.tutti.model.queue.PastShare;
import dev.tutti.model.queue.QueueRules;
import dev.tutti.model.queue.QuotaKey;
import dev.tutti.model.queue.Quotas;
import dev.tutti.model.queue.Use;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads queues and lanes. */
public interface QueueQueries {

    /** The most queues that a message lists. */
    int SHOWN = 10;

    /** Queues, leaves first, then by path. */
    Page<QueueView> queues(PageRequest page);

    /** @param idOrPath a queue's id or its path */
    Optional<QueueView> queue(String idOrPath);

    /** All lanes, in order of consideration. */
    List<LaneView> lanes();

    /**
     * What is wrong with a name of no queue, and which there are, for a violation.
     *
     * @param known some queues, one more than {@link #SHOWN} to say that there are others
     */
    static String unknown(String name, List<String> known) {
        return "there is no queue \"" + Labels.shown(name) + "\"" + some(known);
    }

    private static String some(List<String> queues) {
        return FewNames.of("; give one of ", queues.subList(0, Math.min(SHOWN, queues.size())))
                + (queues.size() > SHOWN ? " and others" : "");
    }

    /** What is wrong with the name of a queue that has others below it, for a violation. */
    static String notALeaf(String name, List<String> leaves) {
        return "\"" + Labels.shown(name) + "\" is not a leaf, and jobs wait only in leaves" + some(leaves);
    }

    /**
     * One queue.
     *
     * @param version row version, the ETag
     * @param rules how its jobs get their turn
     * @param quotas its own quotas
     * @param used what living members hold, with all queues below
     * @param past what they held lately
     * @param limitUse what is held of what limits are of
     */
    record QueueView(
            long id,
            String path,
            @Nullable Long parent,
            boolean leaf,
            QueueRules rules,
            long version,
            Quotas quotas,
            Map<QuotaKey, Use> used,
            PastShare past,
            long waiting,
            long running,
            LimitUse limitUse) {}

    /**
     * What is held of what limits are of, with all queues below.
     *
     * @param userJobs jobs that hold something, of the user who has most of them
     * @param userGpuMilli milli-GPU held, of the user who holds most
     * @param wholeNodes whole nodes held, by flavor, of those that are limited
     */
    record LimitUse(long userJobs, long userGpuMilli, Map<String, Integer> wholeNodes) {

        public static final LimitUse NONE = new LimitUse(0, 0, Map.of());
    }

    /**
     * One lane.
     *
     * @param rank order of consideration, 1 first
     * @param rules what an operator set of it
     * @param version row version, the ETag
     */
    record LaneView(
            String name, int rank, String description, LaneRules rules, long version, long waiting, long running) {}
}
