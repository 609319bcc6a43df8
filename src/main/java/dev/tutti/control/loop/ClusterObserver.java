package dev.tutti.control.loop;

import dev.tutti.control.Actor;
import dev.tutti.control.FleetBook;
import dev.tutti.model.ClusterId;
import dev.tutti.model.JobId;
import dev.tutti.model.NodeId;
import dev.tutti.model.PodName;
import dev.tutti.model.fleet.NodeSighting;
import dev.tutti.model.fleet.PodSighting;
import dev.tutti.model.fleet.TopologyLevels;
import dev.tutti.model.life.EndCause;
import dev.tutti.model.life.JobRun;
import dev.tutti.model.life.Member;
import dev.tutti.model.life.MemberFact;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Turns the notes of one cluster's inbox into facts about members and into inventory rows. */
public final class ClusterObserver {

    private static final int PODS_A_TURN = 2_000;
    private static final int NODES_A_TURN = 5_000;
    private static final Duration BACK_OFF = Duration.ofSeconds(30);

    private final ClusterId cluster;
    private final SightingInbox inbox;
    private final JobKeeper keeper;
    private final FleetBook fleet;
    private final TopologyLevels levels;
    private final Actor.Leader leader;

    public ClusterObserver(
            ClusterId cluster,
            SightingInbox inbox,
            JobKeeper keeper,
            FleetBook fleet,
            TopologyLevels levels,
            Actor.Leader leader) {
        this.cluster = cluster;
        this.inbox = inbox;
        this.keeper = keeper;
        this.fleet = fleet;
        this.levels = levels;
        this.leader = leader;
    }

    /** Takes in what is noted; returns how many notes were handled. Notes stay until they are written. */
    public int turn() {
        return takeNodes() + takePods();
    }

    private int takeNodes() {
        List<NodeSighting> nodes = inbox.nodes(NODES_A_TURN);
        if (!nodes.isEmpty()) {
            List<List<String>> domains =
                    nodes.stream().map(node -> levels.domainsOf(node.labels())).toList();
            fleet.observe(cluster, nodes, domains, leader);
            inbox.doneNodes(nodes);
        }
        return nodes.size();
    }

    private int takePods() {
        List<PodSighting> pods = inbox.pods(PODS_A_TURN);
        Map<JobId, List<PodSighting>> byJob = new TreeMap<>();
        for (PodSighting pod : pods) {
            PodName.parse(pod.name())
                    .ifPresent(name -> byJob.computeIfAbsent(name.job(), job -> new ArrayList<>())
                            .add(pod));
        }
        if (byJob.isEmpty()) {
            inbox.done(pods);
            return pods.size();
        }
        Map<JobId, Set<NodeId>> refusing = new HashMap<>();
        Set<JobId> open =
                keeper.observe(byJob.keySet(), run -> facts(run, byJob.getOrDefault(run.job(), List.of()), refusing));
        open.forEach(refusing::remove);
        Set<NodeId> closed = new TreeSet<>();
        refusing.values().forEach(closed::addAll);
        if (!closed.isEmpty()) {
            fleet.backOff(closed, BACK_OFF, leader);
        }
        List<PodSighting> unhandled = new ArrayList<>();
        open.forEach(job -> unhandled.addAll(byJob.get(job)));
        inbox.done(pods.stream().filter(pod -> !unhandled.contains(pod)).toList());
        inbox.putLast(unhandled);
        return pods.size() - unhandled.size();
    }

    private static List<MemberFact> facts(JobRun run, List<PodSighting> pods, Map<JobId, Set<NodeId>> refusing) {
        List<MemberFact> facts = new ArrayList<>();
        Set<NodeId> nodes = new TreeSet<>();
        for (PodSighting pod : pods) {
            Member member = MemberFacts.memberOf(run, pod).orElse(null);
            if (member == null) {
                continue;
            }
            MemberFact fact = MemberFacts.of(member, pod);
            if (fact != null) {
                facts.add(fact);
                if (fact.cause() == EndCause.REJECTED_BY_NODE && !member.phase().isReleased()) {
                    nodes.add(member.node());
                }
            }
        }
        // Asked again for a stale run, the answer replaces the last one.
        if (!nodes.isEmpty()) {
            refusing.put(run.job(), nodes);
        }
        return facts;
    }
}
