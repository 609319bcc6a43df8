package dev.tutti.testkit.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.allocator.GangAllocator;
import dev.tutti.allocator.Plan;
import dev.tutti.allocator.RunningJob;
import dev.tutti.allocator.Snapshot;
import dev.tutti.allocator.WaitingJob;
import dev.tutti.model.JobId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What holds of every plan that asks others to leave. */
final class StageChecks {

    private StageChecks() {}

    static void check(
            Snapshot base,
            Snapshot now,
            Plan plan,
            Map<JobId, RunningJob> running,
            Map<JobId, WaitingJob> jobs,
            long nowMicros) {
        for (int free : AppliedPlan.apply(now, plan, jobs.values()).fleet().deviceFreeMilli()) {
            assertThat(free).as("milli-GPU left of a device").isBetween(0, 1_000);
        }
        Set<JobId> victims = new HashSet<>();
        for (Plan.Eviction eviction : plan.evictions()) {
            RunningJob victim = running.get(eviction.victim());
            assertThat(victims.add(eviction.victim())).as("asked once").isTrue();
            assertThat(victim.leaving()).as("does not leave yet").isFalse();
            assertThat(eviction.victimVersion()).isEqualTo(victim.version());
            assertThat(plan.placements()).noneMatch(p -> p.job().equals(eviction.beneficiary()));
        }
        if (!plan.evictions().isEmpty()) {
            List<JobId> beneficiaries = plan.evictions().stream()
                    .map(Plan.Eviction::beneficiary)
                    .distinct()
                    .toList();
            assertThat(placed(base, plan, plan.evictions(), running, jobs, beneficiaries, nowMicros))
                    .as("all are placed when everybody has left")
                    .isTrue();
            for (Plan.Eviction one : plan.evictions()) {
                List<Plan.Eviction> others = plan.evictions().stream()
                        .filter(each -> !each.equals(one))
                        .toList();
                assertThat(placed(base, plan, others, running, jobs, beneficiaries, nowMicros))
                        .as("without one of them it is not enough: " + one)
                        .isFalse();
            }
        }
    }

    /** Whether the beneficiaries start, in turn, when these have left and all that the plan starts runs. */
    private static boolean placed(
            Snapshot base,
            Plan plan,
            List<Plan.Eviction> evictions,
            Map<JobId, RunningJob> running,
            Map<JobId, WaitingJob> jobs,
            List<JobId> beneficiaries,
            long nowMicros) {
        List<Plan.Placement> held = new ArrayList<>(plan.placements());
        running.forEach((id, job) -> {
            List<Plan.PodPlacement> members = new ArrayList<>();
            if (!job.leaving()) {
                members.addAll(job.members());
                members.removeIf(member -> job.leavingRanks().contains(member.rank()));
            }
            for (Plan.Eviction eviction : evictions) {
                if (eviction.victim().equals(id)) {
                    members.removeIf(member ->
                            eviction.ranks().isEmpty() || eviction.ranks().contains(member.rank()));
                }
            }
            held.add(new Plan.Placement(id, 1, members));
        });
        Snapshot later = AppliedPlan.apply(base, new Plan(1, held, List.of()), jobs.values());
        List<WaitingJob> those = beneficiaries.stream().map(jobs::get).toList();
        return new GangAllocator().decide(later, those, nowMicros).placements().size() == those.size();
    }
}
