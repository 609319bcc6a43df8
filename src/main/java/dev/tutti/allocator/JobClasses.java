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
        JobClass.Key key = JobClass.Key.of(queue, "", lane, podSets, topology, 0, null);
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

    private Account account(QueueId queue, Lane lane, String user) {
        return new Account(quota.numberOf(queue), lane, user);
    }

    private JobClass make(
            QueueId queue,
            Account account,
            List<PodSet> podSets,
            TopologyWish topology,
            long mayRunSeconds,
            int anchor) {
        Request request = Request.of(layout, names, podSets, topology, anchor);
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
