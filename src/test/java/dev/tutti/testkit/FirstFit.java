package dev.tutti.testkit;

import dev.tutti.allocator.Allocator;
import dev.tutti.allocator.Plan;
import dev.tutti.allocator.Snapshot;
import dev.tutti.allocator.WaitingJob;
import dev.tutti.allocator.fleet.FleetArrays;
import dev.tutti.model.NodeId;
import dev.tutti.model.job.PodSet;
import dev.tutti.model.life.Reason;
import dev.tutti.model.life.ReasonCode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** The simplest allocator there is, for tests of the loops: whole pods on the first devices that are free. */
public final class FirstFit implements Allocator {

    /** How often it was asked. */
    public int decisions;

    @Override
    public Plan decide(Snapshot snapshot, Collection<WaitingJob> waiting, long nowMicros) {
        decisions++;
        int[] free = snapshot.fleet().deviceFreeMilli().clone();
        List<Plan.Placement> placements = new ArrayList<>();
        List<Plan.Wait> waits = new ArrayList<>();
        waiting.stream().sorted(WaitingJob.ORDER).forEach(job -> {
            int[] trial = free.clone();
            Optional<List<Plan.PodPlacement>> members =
                    job.notBeforeMicros() > nowMicros ? Optional.empty() : place(snapshot, job, trial);
            if (members.isPresent()) {
                System.arraycopy(trial, 0, free, 0, free.length);
                placements.add(new Plan.Placement(job.job(), job.version(), members.get()));
            } else if (job.verdict() == null || job.verdict().code() != ReasonCode.WAITING_FOR_CAPACITY) {
                waits.add(new Plan.Wait(job.job(), job.version(), reason(job)));
            }
        });
        return new Plan(snapshot.revision(), placements, waits);
    }

    private static Reason reason(WaitingJob job) {
        long wanted = job.podSets().stream()
                .mapToLong(set -> set.count() * set.gpus().milli())
                .sum();
        return new Reason(ReasonCode.WAITING_FOR_CAPACITY, "gpuMilli", wanted, 0, "too little is free");
    }

    private static Optional<List<Plan.PodPlacement>> place(Snapshot snapshot, WaitingJob job, int[] free) {
        List<Plan.PodPlacement> members = new ArrayList<>();
        for (PodSet set : job.podSets()) {
            for (int i = 0; i < set.count(); i++) {
                Optional<Plan.PodPlacement> member = place(snapshot, set, members.size(), free);
                if (member.isEmpty()) {
                    return Optional.empty();
                }
                members.add(member.get());
            }
        }
        return Optional.of(members);
    }

    private static Optional<Plan.PodPlacement> place(Snapshot snapshot, PodSet set, int rank, int[] free) {
        FleetArrays fleet = snapshot.fleet();
        for (int n = 0; n < fleet.nodes(); n++) {
            List<Integer> devices = new ArrayList<>();
            for (int d = fleet.firstDevice()[n]; fleet.open()[n] && d < fleet.firstDevice()[n + 1]; d++) {
                if (devices.size() < set.gpus().devices()
                        && free[d] >= set.gpus().milliPerDevice()) {
                    devices.add(d);
                }
            }
            if (fleet.open()[n] && devices.size() == set.gpus().devices()) {
                devices.forEach(d -> free[d] -= set.gpus().milliPerDevice());
                return Optional.of(new Plan.PodPlacement(
                        set.name(),
                        rank,
                        new NodeId(fleet.nodeId()[n]),
                        snapshot.names().flavors().get(fleet.flavor()[n]),
                        devices.stream().map(d -> fleet.deviceId()[d]).toList(),
                        set.gpus().milliPerDevice(),
                        set.cpuMilli(),
                        set.memoryMib(),
                        null,
                        List.of()));
            }
        }
        return Optional.empty();
    }
}
