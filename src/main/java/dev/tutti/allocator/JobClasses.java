package dev.tutti.allocator;

import dev.tutti.allocator.board.Layout;
import dev.tutti.allocator.fit.Request;
import dev.tutti.allocator.quota.QuotaCheck;
import dev.tutti.model.QueueId;
import dev.tutti.model.job.Lane;
import dev.tutti.model.job.PodSet;
import dev.tutti.model.job.TopologyWish;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Sorts jobs into classes and translates each class once. */
final class JobClasses {

    private final Layout layout;
    private final FleetNames names;
    private final QuotaCheck quota;
    private final Map<JobClass.Key, JobClass> classes = new HashMap<>();

    JobClasses(Layout layout, FleetNames names, QuotaCheck quota) {
        this.layout = layout;
        this.names = names;
        this.quota = quota;
    }

    JobClass of(QueueId queue, Lane lane, List<PodSet> podSets, TopologyWish topology) {
        JobClass.Key key = JobClass.Key.of(queue, lane, podSets, topology, 0);
        JobClass known = classes.get(key);
        if (known == null) {
            known = make(queue, lane, podSets, topology, 0);
            classes.put(key, known);
        }
        return known;
    }

    /** A class of its own, which is not remembered here. */
    JobClass make(QueueId queue, Lane lane, List<PodSet> podSets, TopologyWish topology, long mayRunSeconds) {
        Request request = Request.of(layout, names, podSets, topology);
        return new JobClass(
                queue, lane, podSets, topology, mayRunSeconds, quota.numberOf(queue), request, layout.flavors());
    }
}
