package dev.tutti.control.loop;

import dev.tutti.control.Actor;
import dev.tutti.control.BindOutbox;
import dev.tutti.control.BindOutbox.Settlement;
import dev.tutti.control.BindTask;
import dev.tutti.control.ClusterGateway;
import dev.tutti.model.AllocationId;
import dev.tutti.model.JobId;
import dev.tutti.model.life.MemberFact;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Carries out the outbox of one cluster: pods made and bound, or deleted. It decides nothing about jobs; what it learns
 * becomes facts, and a task is settled only after its fact is written.
 */
public final class Binder {

    /** How long a claim lasts by the database's clock; calls of a claim stop a quarter earlier. */
    public static final Duration CLAIM = Duration.ofSeconds(60);

    private final ClusterGateway gateway;
    private final SightingInbox inbox;
    private final BindOutbox outbox;
    private final JobKeeper keeper;
    private final ClusterSync sync;
    private final Lease lease;
    private final Ticker ticker;
    private final CallRunner calls;
    private final Actor.Leader leader;
    private final int tasksATurn;

    /** @param tasksATurn most tasks claimed at once, 1 and up */
    public Binder(
            ClusterGateway gateway,
            SightingInbox inbox,
            BindOutbox outbox,
            JobKeeper keeper,
            ClusterSync sync,
            Lease lease,
            Ticker ticker,
            CallRunner calls,
            Actor.Leader leader,
            int tasksATurn) {
        this.gateway = gateway;
        this.inbox = inbox;
        this.outbox = outbox;
        this.keeper = keeper;
        this.sync = sync;
        this.lease = lease;
        this.ticker = ticker;
        this.calls = calls;
        this.leader = leader;
        this.tasksATurn = tasksATurn;
    }

    /** Claims tasks that are due, carries them out and settles them; returns how many were claimed. */
    public int turn() {
        if (!sync.isReady() || !lease.holds()) {
            return 0;
        }
        long until = ticker.nanos() + CLAIM.toNanos() / 4 * 3;
        List<BindTask> tasks = outbox.claim(gateway.cluster(), tasksATurn, CLAIM, leader);
        if (tasks.isEmpty()) {
            return 0;
        }
        CallGuard guard = new CallGuard(() -> lease.holds() && ticker.nanos() - until < 0);
        settle(tasks, carryOut(tasks, new Courier(gateway, inbox, guard, leader.term())));
        return tasks.size();
    }

    private Courier.Result[] carryOut(List<BindTask> tasks, Courier courier) {
        Courier.Result[] results = new Courier.Result[tasks.size()];
        List<Runnable> work = new ArrayList<>(tasks.size());
        for (int i = 0; i < results.length; i++) {
            int index = i;
            work.add(() -> results[index] = courier.carryOut(tasks.get(index)));
        }
        calls.runAll(work);
        return results;
    }

    private void settle(List<BindTask> tasks, Courier.Result[] results) {
        Map<JobId, Map<AllocationId, MemberFact>> facts = new HashMap<>();
        for (int i = 0; i < results.length; i++) {
            MemberFact fact = results[i].fact();
            if (fact != null) {
                facts.computeIfAbsent(tasks.get(i).job(), job -> new HashMap<>())
                        .put(fact.allocation(), fact);
            }
        }
        Set<JobId> unwritten = facts.isEmpty()
                ? Set.of()
                : keeper.observe(
                        facts.keySet(),
                        run -> facts.getOrDefault(run.job(), Map.of()).values());
        List<Settlement> settlements = new ArrayList<>(results.length);
        for (int i = 0; i < results.length; i++) {
            Courier.Result result = results[i];
            boolean open =
                    result.fact() != null && unwritten.contains(tasks.get(i).job());
            settlements.add(open ? result.again() : result.settlement());
        }
        outbox.settle(settlements, leader);
    }
}
