package dev.tutti.testkit.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.allocator.GangAllocator;
import dev.tutti.allocator.Plan;
import dev.tutti.allocator.RunningJob;
import dev.tutti.allocator.Snapshot;
import dev.tutti.allocator.WaitingJob;
import dev.tutti.allocator.fleet.FleetArrays;
import dev.tutti.model.JobId;
import dev.tutti.model.life.Reason;
import dev.tutti.model.life.ReasonCode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What holds of every plan that asks others to leave. */
final class EvictionChecks {

    private EvictionChecks() {}

    static void check(
            Snapshot base, Snapshot now, Plan plan, Map<JobId, RunningJob> running, Map<JobId, WaitingJob> jobs) {
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
            List<WaitingJob> claimants = claimants(plan, running, jobs);
            Later later = later(base, plan, plan.evictions(), running, jobs);
            Map<JobId, Integer> placed = placed(later, claimants);
            List<JobId> beneficiaries =
                    plan.evictions().stream().map(Plan.Eviction::beneficiary).toList();
            boolean isQuotaKept = !plan.reservations().isEmpty()
                    && base.queues().queues().values().stream()
                            .anyMatch(queue -> !queue.quotas().isEmpty());
            if (isQuotaKept
                    || !placed.keySet().containsAll(beneficiaries)
                    || claimants.stream().anyMatch(each -> !beneficiaries.contains(each.job()))) {
                // Another one might go elsewhere now than where its place is kept, or take the quota that is kept.
                beneficiaries.forEach(each -> assertThat(placed(later, List.of(jobs.get(each))))
                        .as("has a place when everybody has left")
                        .containsKey(each));
                return;
            }
            for (Plan.Eviction one : plan.evictions()) {
                // Those who come after it found who leaves for them on top of that.
                int last = beneficiaries.lastIndexOf(one.beneficiary());
                List<Plan.Eviction> others = plan.evictions().subList(0, last + 1).stream()
                        .filter(each -> !each.equals(one))
                        .toList();
                Later fewerLeft = later(base, plan, others, running, jobs);
                Later without = new Later(closed(fewerLeft.snapshot(), plan.reservations()), fewerLeft.running());
                Map<JobId, Integer> fewer = placed(without, claimants);
                assertThat(placed.entrySet().stream()
                                .allMatch(each -> fewer.getOrDefault(each.getKey(), 0) >= each.getValue()))
                        .as("without one of them it is enough: " + one)
                        .isFalse();
            }
        }
    }

    /** Jobs that wait for others to leave once this plan is done. */
    private static List<WaitingJob> claimants(Plan plan, Map<JobId, RunningJob> running, Map<JobId, WaitingJob> jobs) {
        Map<JobId, Reason> told = new HashMap<>();
        plan.waits().forEach(wait -> told.put(wait.job(), wait.reason()));
        Set<JobId> starts = new HashSet<>();
        plan.placements().forEach(placement -> starts.add(placement.job()));
        return jobs.values().stream()
                .filter(job -> !running.containsKey(job.job()) && !starts.contains(job.job()))
                .filter(job -> {
                    Reason reason = told.getOrDefault(job.job(), job.verdict());
                    return reason != null && reason.code() == ReasonCode.WAITING_FOR_VICTIMS;
                })
                .toList();
    }

    /** Those of them that start, in turn, and with how many pods. */
    private static Map<JobId, Integer> placed(Later later, List<WaitingJob> claimants) {
        Map<JobId, Integer> placed = new HashMap<>();
        new GangAllocator()
                .decide(later.snapshot(), claimants, later.running(), TestJobs.NOW_MICROS)
                .placements()
                .forEach(each -> placed.put(each.job(), each.members().size()));
        return placed;
    }

    /** When these have left and all that the plan starts runs. */
    private static Later later(
            Snapshot base,
            Plan plan,
            List<Plan.Eviction> evictions,
            Map<JobId, RunningJob> running,
            Map<JobId, WaitingJob> jobs) {
        List<Plan.Placement> held = new ArrayList<>(plan.placements());
        List<RunningJob> holders = new ArrayList<>();
        plan.placements()
                .forEach(placement -> holders.add(LimitChecks.holder(jobs.get(placement.job()), placement.members())));
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
            if (!members.isEmpty()) {
                holders.add(LimitChecks.holder(jobs.get(id), members));
            }
        });
        return new Later(AppliedPlan.apply(base, new Plan(1, held, List.of()), jobs.values()), holders);
    }

    private record Later(Snapshot snapshot, List<RunningJob> running) {}

    /** Nodes on which something is kept for others are not there: nobody asks for victims to spare those. */
    private static Snapshot closed(Snapshot later, List<Plan.Reservation> reservations) {
        FleetArrays fleet = later.fleet();
        boolean[] open = fleet.open().clone();
        reservations.stream()
                .flatMap(each -> each.nodes().stream())
                .forEach(node -> open[Arrays.binarySearch(fleet.nodeId(), node.value())] = false);
        FleetArrays without = fleet.withFree(
                open,
                fleet.cpuFreeMilli(),
                fleet.memoryFreeMib(),
                fleet.podsFree(),
                fleet.deviceFreeMilli(),
                fleet.deviceWhole(),
                fleet.deviceUnits(),
                fleet.nics().free());
        return new Snapshot(later.revision(), later.names(), without, later.queues(), later.mix());
    }
}
