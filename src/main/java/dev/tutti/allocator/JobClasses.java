package dev.tutti.allocator;

import dev.tutti.allocator.board.Layout;
import dev.tutti.allocator.fit.Request;
import dev.tutti.allocator.fleet.FleetNames;
import dev.tutti.allocator.quota.Account;
import dev.tutti.allocator.quota.QuotaCheck;
import dev.tutti.model.NodeId;
import dev.tutti.model.QueueId;
import dev.tutti.model.job.Lane;
import dev.tutti.model.job.PodSet;
import dev.tutti.model.job.TopologyWish;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Sorts jobs into classes and translates each class once. */
final class JobClasses {

    private final Layout layout;
    private final FleetNames names;
    private final QuotaCheck quota;
    private final Map<JobClass.Key, JobClass> classes = new HashMap<>();
    private final long[] nodeId;

    JobClasses(Layout layout, FleetNames names, QuotaCheck quota, long[] nodeId) {
        this.nodeId = nodeId;
        this.layout = layout;
        this.names = names;
        this.quota = quota;
    }

    JobClass of(QueueId queue, Lane lane, List<PodSet> podSets, TopologyWish topology) {
        JobClass.Key key = JobClass.Key.of(queue, "", lane, podSets, topology, 0, null, Fallback.named(podSets));
        JobClass known = classes.get(key);
        if (known == null) {
            known = make(queue, account(queue, lane, ""), podSets, topology, 0, Request.ANYWHERE);
            classes.put(key, known);
        }
        return known;
    }

    /** A class of its own, for this job and those of its kind, which is not remembered here. */
    JobClass make(WaitingJob like, long mayRunSeconds) {
        Growth growth = like.growth();
        int anchor = growth == null ? Request.ANYWHERE : positionOf(growth.anchor());
        Account account = account(like.queue(), like.lane(), like.user());
        JobClass kind = make(like.queue(), account, like.podSets(), like.topology(), mayRunSeconds, anchor);
        kind.grows = growth != null;
        return kind;
    }

    /**
     * The same, of a job to which only so many of the flavors that a set names are open.
     *
     * @param feasibility knows on which flavors it could ever run
     */
    JobClass make(WaitingJob like, long mayRunSeconds, int open, Feasibility feasibility) {
        JobClass kind = make(like, mayRunSeconds);
        if (open >= Fallback.named(like.podSets()) || kind.request == null || kind.grows) {
            return kind;
        }
        OpenFlavors flavors = OpenFlavors.of(
                like.podSets(),
                open,
                feasibility.limits(kind),
                some -> feasibility.mayEverFit(kind, request(some, like.topology(), Request.ANYWHERE)));
        return kind.with(flavors, request(flavors.podSets(), like.topology(), Request.ANYWHERE));
    }

    private Account account(QueueId queue, Lane lane, String user) {
        return new Account(quota.numberOf(queue), lane, user);
    }

    private @Nullable Request request(List<PodSet> podSets, TopologyWish topology, int anchor) {
        return Request.of(layout, names, podSets, topology, anchor);
    }

    private JobClass make(
            QueueId queue,
            Account account,
            List<PodSet> podSets,
            TopologyWish topology,
            long mayRunSeconds,
            int anchor) {
        Request request = request(podSets, topology, anchor);
        return new JobClass(
                queue, account.lane(), podSets, topology, mayRunSeconds, account, request, layout.flavors());
    }

    /** Behind all positions when the node is gone: nothing is near to it. */
    private int positionOf(NodeId node) {
        int p = 0;
        while (p < layout.node.length && nodeId[layout.node[p]] != node.value()) {
            p++;
        }
        return p;
    }
}
