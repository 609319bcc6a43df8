package dev.tutti.control.loop;

import dev.tutti.control.Actor;
import dev.tutti.control.BindOutbox;
import dev.tutti.control.ClusterGateway;
import dev.tutti.control.ClusterGateway.Outcome;
import dev.tutti.control.FleetBook;
import dev.tutti.control.Ledger;
import dev.tutti.control.Ledger.BoundMember;
import dev.tutti.model.JobId;
import dev.tutti.model.PodName;
import dev.tutti.model.fleet.NodeSighting;
import dev.tutti.model.fleet.PodSighting;
import dev.tutti.model.life.EndCause;
import dev.tutti.model.life.JobRun;
import dev.tutti.model.life.MemberFact;
import dev.tutti.model.life.MemberPhase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Compares one cluster with the ledger, both ways and from scratch each time, whatever events came or did not come
 * (invariant I8): bound members whose pod is not there are LOST, pods that nobody wants are deleted. It is also the way
 * in for a new leader, which lists everything before it decides or binds.
 */
public final class Reconciler {

    private static final Duration EVERY = Duration.ofSeconds(20);
    private static final Duration AGAIN = Duration.ofSeconds(5);
    private static final int FAILURES = 3;
    private static final int CALLS_A_TURN = 500;

    private final ClusterGateway gateway;
    private final SightingInbox inbox;
    private final Ledger ledger;
    private final FleetBook fleet;
    private final JobKeeper keeper;
    private final Takeover takeover;
    private final ClusterSync sync;
    private final Lease lease;
    private final Ticker ticker;
    private final Actor.Leader leader;
    private long dueNanos;
    private boolean started;
    private int failures;

    public Reconciler(
            ClusterGateway gateway,
            SightingInbox inbox,
            Ledger ledger,
            FleetBook fleet,
            BindOutbox outbox,
            JobKeeper keeper,
            ClusterSync sync,
            Lease lease,
            Ticker ticker,
            CallRunner calls,
            Actor.Leader leader) {
        this.gateway = gateway;
        this.inbox = inbox;
        this.ledger = ledger;
        this.fleet = fleet;
        this.keeper = keeper;
        this.takeover = new Takeover(gateway, outbox, lease, calls, leader);
        this.sync = sync;
        this.lease = lease;
        this.ticker = ticker;
        this.leader = leader;
    }

    /** Compares when it is time to, at once when something may have been missed; returns how many differences it found. */
    public int turn() {
        long now = ticker.nanos();
        if (!lease.holds() || !isDue(now)) {
            return 0;
        }
        started = true;
        dueNanos = now + AGAIN.toNanos();
        try {
            if (!touchAll()) {
                failed();
                return 0;
            }
            int differences = compare(now);
            failures = 0;
            dueNanos = now + EVERY.toNanos();
            return differences;
        } catch (ClusterGateway.Unreachable away) {
            failed();
            return 0;
        }
    }

    private boolean isDue(long now) {
        return !started || now - dueNanos >= 0 || (failures == 0 && sync.needsList());
    }

    private boolean touchAll() {
        if (!sync.isTouched() && takeover.turn()) {
            sync.touched();
        }
        return sync.isTouched();
    }

    /** Silence evicts and frees nothing (house rule R5); it only closes the nodes to new pods. */
    private void failed() {
        failures++;
        if (!sync.isSettled() || failures >= FAILURES) {
            fleet.reach(gateway.cluster(), false, leader);
            sync.outOfReach();
        }
    }

    private int compare(long startedNanos) {
        long gaps = inbox.gaps();
        // The ledger is read first: what was bound before the list was made must be in the list.
        List<BoundMember> bound = ledger.bound(gateway.cluster());
        List<PodSighting> pods = gateway.pods();
        List<NodeSighting> nodes = gateway.nodes();
        pods.forEach(inbox::pod);
        nodes.forEach(inbox::node);
        fleet.retain(gateway.cluster(), nodes.stream().map(NodeSighting::name).collect(Collectors.toSet()), leader);
        int missing = giveUpMissing(bound, pods);
        int unwanted = deleteUnwanted(pods);
        fleet.reach(gateway.cluster(), true, leader);
        sync.listed(startedNanos, gaps);
        return missing + unwanted;
    }

    private int giveUpMissing(List<BoundMember> bound, List<PodSighting> pods) {
        Set<String> names = pods.stream().map(PodSighting::name).collect(Collectors.toSet());
        Map<JobId, List<MemberFact>> facts = new HashMap<>();
        int asked = 0;
        for (BoundMember member : bound) {
            String name = PodName.of(member.job(), member.attempt(), member.rank());
            if (!names.contains(name) && asked < CALLS_A_TURN) {
                asked++;
                if (isAbsent(name)) {
                    facts.computeIfAbsent(member.job(), job -> new ArrayList<>())
                            .add(new MemberFact(
                                    member.allocation(), MemberPhase.LOST, member.podUid(), EndCause.NODE_LOST));
                }
            }
        }
        if (!facts.isEmpty()) {
            keeper.observe(facts.keySet(), run -> facts.getOrDefault(run.job(), List.of()));
        }
        return facts.size();
    }

    /** A list may be older than what was seen before, so the missing pod itself is asked for. */
    private boolean isAbsent(String name) {
        if (!lease.holds()) {
            return false;
        }
        Outcome outcome = gateway.read(name);
        if (outcome instanceof Outcome.Done done) {
            inbox.pod(done.pod());
        }
        return outcome instanceof Outcome.Absent;
    }

    private int deleteUnwanted(Collection<PodSighting> pods) {
        Set<JobId> jobs = new TreeSet<>();
        pods.forEach(pod -> PodName.parse(pod.name()).ifPresent(name -> jobs.add(name.job())));
        if (jobs.isEmpty()) {
            return 0;
        }
        // The ledger is read after the list: what is allocated before its pod is made is not taken for unwanted.
        Map<JobId, JobRun> runs = ledger.runs(jobs).stream().collect(Collectors.toMap(JobRun::job, run -> run));
        Set<String> asked = new HashSet<>();
        for (PodSighting pod : pods) {
            if (asked.size() < CALLS_A_TURN && !pod.terminating() && !isWanted(pod, runs) && lease.holds()) {
                asked.add(pod.name());
                gateway.delete(pod.name(), pod.uid());
            }
        }
        return asked.size();
    }

    private static boolean isWanted(PodSighting pod, Map<JobId, JobRun> runs) {
        PodName name = PodName.parse(pod.name()).orElse(null);
        if (name == null) {
            // Somebody else's pod with our label: not ours to judge.
            return true;
        }
        JobRun run = runs.get(name.job());
        return run != null
                && run.state().isLive()
                && run.attempt() == name.attempt()
                && run.members().stream()
                        .anyMatch(member -> member.rank() == name.rank()
                                && !member.phase().isReleased()
                                && (member.podUid() == null || member.podUid().equals(pod.uid())));
    }
}
