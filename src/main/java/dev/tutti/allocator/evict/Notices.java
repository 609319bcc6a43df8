package dev.tutti.allocator.evict;

import dev.tutti.allocator.Plan;
import dev.tutti.model.JobId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Writes units that are to leave as evictions, one for each job. */
final class Notices {

    private Notices() {}

    static List<Plan.Eviction> of(List<Unit> units, JobId beneficiary) {
        Map<JobId, List<Unit>> byJob = new LinkedHashMap<>();
        units.forEach(unit -> byJob.computeIfAbsent(unit.job().job(), first -> new ArrayList<>())
                .add(unit));
        return byJob.values().stream()
                .map(ofJob -> notice(ofJob, beneficiary))
                .sorted(Comparator.comparing(Plan.Eviction::victim))
                .toList();
    }

    private static Plan.Eviction notice(List<Unit> units, JobId beneficiary) {
        Unit first = units.get(0);
        List<Integer> ranks = units.stream().anyMatch(Unit::isWhole)
                ? List.of()
                : units.stream()
                        .flatMap(unit -> unit.members().stream())
                        .map(Plan.PodPlacement::rank)
                        .sorted()
                        .toList();
        return new Plan.Eviction(first.job().job(), first.job().version(), ranks, beneficiary, first.cause());
    }
}
