package dev.tutti.allocator;

import dev.tutti.allocator.board.Layout;
import dev.tutti.allocator.fit.Request;
import dev.tutti.model.PodSet;
import dev.tutti.model.QueueId;
import dev.tutti.model.TopologyLevels;
import dev.tutti.model.TopologyWish;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Sorts jobs into classes and translates each class once. */
final class JobClasses {

    private static final int UNKNOWN = Integer.MIN_VALUE;
    private static final int NO_WISH = -1;

    private final Layout layout;
    private final List<String> levels;
    private final QuotaCheck quota;
    private final Map<JobClass.Key, JobClass> classes = new HashMap<>();

    JobClasses(Layout layout, List<String> levels, QuotaCheck quota) {
        this.layout = layout;
        this.levels = levels;
        this.quota = quota;
    }

    JobClass of(QueueId queue, List<PodSet> podSets, TopologyWish topology) {
        JobClass.Key key = JobClass.Key.of(queue, podSets, topology);
        JobClass known = classes.get(key);
        if (known == null) {
            known = make(queue, podSets, topology);
            classes.put(key, known);
        }
        return known;
    }

    /** A class of its own, which is not remembered here. */
    JobClass make(QueueId queue, List<PodSet> podSets, TopologyWish topology) {
        Request request = request(podSets, topology);
        return new JobClass(queue, podSets, topology, quota.numberOf(queue), request, layout.flavors());
    }

    private @Nullable Request request(List<PodSet> podSets, TopologyWish topology) {
        int required = depth(topology.required());
        int preferred = depth(topology.preferred());
        return required == UNKNOWN || preferred == UNKNOWN
                ? null
                : Request.of(layout, podSets, Math.max(0, required), preferred);
    }

    /** Depth of a level below the cluster: 1 for the widest; the node is the deepest. */
    private int depth(@Nullable String level) {
        if (level == null) {
            return NO_WISH;
        }
        if (level.equals(TopologyLevels.NODE_LEVEL)) {
            return levels.size() + 1;
        }
        int index = levels.indexOf(level);
        return index < 0 ? UNKNOWN : index + 1;
    }
}
