package dev.tutti.store.ledger;

import dev.tutti.allocator.Plan;
import dev.tutti.allocator.Plan.Eviction;
import dev.tutti.allocator.Plan.Placement;
import dev.tutti.control.Actor;
import dev.tutti.control.Ledger.Change;
import dev.tutti.model.JobId;
import dev.tutti.model.life.JobLife;
import dev.tutti.model.life.JobRun;
import dev.tutti.model.life.JobState;
import dev.tutti.store.Columns;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * The evictions of one plan, inside its transaction. Those for one job stand or fall together: what only some of its victims
 * would free is of no use to it. What becomes of a victim is decided by {@link JobLife} and written like any other stop.
 */
final class Evictions {

    private static final String LOCK = """
            SELECT j.id, j.state = 'QUEUED' AND NOT j.waits_for_parents AS waits
            FROM jobs j WHERE j.id = ANY (:jobs::uuid[])
            ORDER BY j.id FOR NO KEY UPDATE""";

    private final List<Group> groups;
    /** Those they are for that wait, as locked. */
    private final Set<JobId> waiting = new HashSet<>();

    private Evictions(Plan plan) {
        Map<JobId, List<Eviction>> byBeneficiary = new LinkedHashMap<>();
        plan.evictions()
                .forEach(one -> byBeneficiary
                        .computeIfAbsent(one.beneficiary(), job -> new ArrayList<>())
                        .add(one));
        this.groups = byBeneficiary.entrySet().stream()
                .map(entry -> new Group(entry.getKey(), entry.getValue()))
                .toList();
    }

    /**
     * Locks every job that the plan changes and evicts for, in the one order of all locks: jobs come first, so nothing else
     * of the plan may be written before. Without evictions it asks the database nothing.
     */
    static Evictions lock(JdbcClient sql, Plan plan) {
        Evictions evictions = new Evictions(plan);
        if (!plan.evictions().isEmpty()) {
            Set<JobId> jobs = Stream.concat(
                            plan.placements().stream().map(Placement::job),
                            plan.evictions().stream().flatMap(one -> Stream.of(one.victim(), one.beneficiary())))
                    .collect(Collectors.toSet());
            sql.sql(LOCK).param("jobs", Columns.texts(jobs, JobId::value)).query(row -> {
                if (row.getBoolean("waits")) {
                    evictions.waiting.add(new JobId(row.getObject("id", UUID.class)));
                }
            });
        }
        return evictions;
    }

    /** The evictions by the job they are for. */
    List<Group> groups() {
        return groups;
    }

    /**
     * Writes the evictions of groups that stand.
     *
     * @param evicted takes the victims
     * @param stale takes the jobs because of which groups fell
     */
    void write(JdbcClient sql, List<Group> batch, Actor.Leader leader, Set<JobId> evicted, Set<JobId> stale) {
        Map<JobId, JobRun> runs = runs(sql, batch);
        Map<JobId, Map<String, Integer>> minCounts = MinCounts.of(sql, batch);
        Map<JobId, Change> changes = new LinkedHashMap<>();
        Map<JobId, JobId> beneficiaries = new HashMap<>();
        for (Group group : batch) {
            Set<JobId> movedOn = new HashSet<>();
            if (!waiting.contains(group.beneficiary())) {
                movedOn.add(group.beneficiary());
            }
            List<Change> ofGroup = new ArrayList<>();
            for (Eviction one : group.evictions()) {
                Change change = change(runs.get(one.victim()), one, minCounts.getOrDefault(one.victim(), Map.of()));
                if (change == null) {
                    movedOn.add(one.victim());
                } else {
                    ofGroup.add(change);
                }
            }
            stale.addAll(movedOn);
            if (movedOn.isEmpty()) {
                ofGroup.forEach(change -> {
                    changes.putIfAbsent(change.before().job(), change);
                    beneficiaries.putIfAbsent(change.before().job(), group.beneficiary());
                });
            }
        }
        if (!changes.isEmpty()) {
            evicted.addAll(RunWriter.write(sql, changes.values(), beneficiaries, leader));
        }
    }

    /** What becomes of a victim; null when it is not what it was read as, or cannot give up just that. */
    private static @Nullable Change change(@Nullable JobRun run, Eviction one, Map<String, Integer> minCounts) {
        if (run == null || run.version() != one.victimVersion() || run.state() == JobState.STOPPING) {
            return null;
        }
        JobRun after = one.ranks().isEmpty()
                ? JobLife.stop(run, one.cause())
                : JobLife.evict(run, one.ranks(), one.cause(), minCounts);
        return after.equals(run) ? null : new Change(run, after);
    }

    private static Map<JobId, JobRun> runs(JdbcClient sql, List<Group> batch) {
        Set<JobId> victims = batch.stream()
                .flatMap(group -> group.evictions().stream())
                .map(Eviction::victim)
                .collect(Collectors.toSet());
        return RunReader.runs(sql, victims).stream()
                .filter(run -> run.state().isLive())
                .collect(Collectors.toMap(JobRun::job, Function.identity()));
    }

    /** All evictions for one job. */
    record Group(JobId beneficiary, List<Eviction> evictions) {}
}
