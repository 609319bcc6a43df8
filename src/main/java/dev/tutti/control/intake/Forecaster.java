package dev.tutti.control.intake;

import dev.tutti.allocator.Allocator;
import dev.tutti.allocator.Fallback;
import dev.tutti.allocator.Plan;
import dev.tutti.allocator.RunningJob;
import dev.tutti.allocator.Snapshot;
import dev.tutti.allocator.Trial;
import dev.tutti.allocator.Trial.Answer;
import dev.tutti.allocator.WaitingJob;
import dev.tutti.allocator.fleet.FleetArrays;
import dev.tutti.control.intake.Forecast.NodeShare;
import dev.tutti.model.JobId;
import dev.tutti.model.QueueId;
import dev.tutti.model.Violation;
import dev.tutti.model.job.JobSpec;
import dev.tutti.model.job.PodSet;
import dev.tutti.model.life.Reason;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Asks the real allocator what would become of jobs that nobody submitted. Writes nothing. */
final class Forecaster {

    private final Allocator allocator;

    Forecaster(Allocator allocator) {
        this.allocator = allocator;
    }

    /** A job to forecast, its queue, who asks, and what is already known to be wrong with it. */
    record Candidate(JobSpec spec, long queue, String user, List<Violation> violations) {

        Candidate with(List<Violation> others) {
            return new Candidate(spec, queue, user, others);
        }
    }

    /**
     * What the engine is asked about.
     *
     * @param snapshot the state now
     * @param empty the same fleet with nothing on it
     * @param waiting jobs that wait already
     * @param running jobs that hold capacity
     * @param nowMicros the database's time of the state
     */
    record Basis(
            Snapshot snapshot,
            Snapshot empty,
            Collection<WaitingJob> waiting,
            Collection<RunningJob> running,
            long nowMicros) {}

    List<Forecast> forecast(Basis basis, List<Candidate> candidates) {
        List<WaitingJob> all = new ArrayList<>(basis.waiting());
        for (int i = 0; i < candidates.size(); i++) {
            if (candidates.get(i).violations().isEmpty()) {
                all.add(waiting(candidates.get(i), i, candidates.get(i).spec().podSets(), basis.nowMicros()));
            }
        }
        Plan plan = allocator.decide(basis.snapshot(), all, basis.running(), basis.nowMicros());
        Trial alone = allocator.trial(basis.empty());
        List<Forecast> forecasts = new ArrayList<>();
        for (int i = 0; i < candidates.size(); i++) {
            Candidate candidate = candidates.get(i);
            forecasts.add(
                    candidate.violations().isEmpty()
                            ? forecast(candidate, id(i), plan, alone, basis.snapshot(), all)
                            : Forecast.refused(candidate.violations()));
        }
        return forecasts;
    }

    private Forecast forecast(
            Candidate candidate, JobId id, Plan plan, Trial alone, Snapshot snapshot, List<WaitingJob> all) {
        Answer whole = alone.start(waiting(candidate, candidate.spec().podSets()));
        Answer largest = whole.starts() ? whole : largest(candidate, alone);
        List<NodeShare> nodes = nodes(plan, id, snapshot);
        return new Forecast(
                List.of(),
                whole.starts() || !whole.isCertain(),
                largest.pods(),
                largest.gpuMilli(),
                !nodes.isEmpty(),
                nodes,
                reason(plan, id),
                nodes.isEmpty() ? position(id, all) : null,
                startAt(plan, id),
                victims(plan, id));
    }

    /** Of all that wait then, as the queue's own list counts them. */
    private static long position(JobId id, List<WaitingJob> all) {
        WaitingJob job =
                all.stream().filter(one -> one.job().equals(id)).findFirst().orElseThrow();
        return 1
                + all.stream()
                        .filter(other -> other.queue().equals(job.queue()) && WaitingJob.ORDER.compare(other, job) < 0)
                        .count();
    }

    private static @Nullable Instant startAt(Plan plan, JobId id) {
        return plan.reservations().stream()
                .filter(reservation -> reservation.job().equals(id))
                .map(reservation -> Instant.EPOCH.plus(reservation.startMicros(), ChronoUnit.MICROS))
                .findFirst()
                .orElse(null);
    }

    private static int victims(Plan plan, JobId id) {
        return (int) plan.evictions().stream()
                .filter(eviction -> eviction.beneficiary().equals(id))
                .count();
    }

    private static @Nullable Reason reason(Plan plan, JobId id) {
        return plan.waits().stream()
                .filter(wait -> wait.job().equals(id))
                .map(Plan.Wait::reason)
                .findFirst()
                .orElse(null);
    }

    private static List<NodeShare> nodes(Plan plan, JobId id, Snapshot snapshot) {
        FleetArrays fleet = snapshot.fleet();
        Map<Integer, NodeShare> shares = new LinkedHashMap<>();
        plan.placements().stream()
                .filter(placement -> placement.job().equals(id))
                .flatMap(placement -> placement.members().stream())
                .forEach(pod -> {
                    int node = Arrays.binarySearch(fleet.nodeId(), pod.node().value());
                    long milli = (long) pod.devices().size() * pod.milliPerDevice();
                    String cluster = snapshot.names().clusters().get(fleet.cluster()[node]);
                    String name = snapshot.names().nodes().get(node);
                    shares.merge(
                            node,
                            new NodeShare(cluster, name, pod.flavor(), 1, milli),
                            (a, b) -> new NodeShare(
                                    a.cluster(), a.node(), a.flavor(), a.pods() + 1, a.gpuMilli() + b.gpuMilli()));
                });
        return List.copyOf(shares.values());
    }

    /** The largest sets of their shape that were found to run alone, of sets that were not; maybe none. */
    private static Answer largest(Candidate candidate, Trial alone) {
        List<PodSet> wanted = candidate.spec().podSets();
        Answer largest = Answer.NONE;
        int biggest = wanted.stream().mapToInt(PodSet::minCount).max().orElse(1);
        int low = 0;
        int high = biggest;
        while (high - low > 1) {
            int middle = (low + high) >>> 1;
            Answer start = alone.start(waiting(candidate, shrunk(wanted, middle, biggest)));
            if (start.starts()) {
                low = middle;
                largest = start;
            } else {
                high = middle;
            }
        }
        return largest;
    }

    private static List<PodSet> shrunk(List<PodSet> podSets, int part, int whole) {
        return podSets.stream().map(set -> set.part(part, whole)).toList();
    }

    private static WaitingJob waiting(Candidate candidate, List<PodSet> podSets) {
        return waiting(candidate, 0, podSets, 0);
    }

    private static WaitingJob waiting(Candidate candidate, int index, List<PodSet> podSets, long nowMicros) {
        JobSpec spec = candidate.spec();
        return new WaitingJob(
                id(index),
                0,
                new QueueId(candidate.queue()),
                spec.lane(),
                spec.priority(),
                nowMicros,
                0,
                spec.limits().maxRuntimeSeconds() == null
                        ? 0
                        : (long) spec.limits().maxRuntimeSeconds() + spec.graceSeconds(),
                podSets,
                spec.topology(),
                null,
                candidate.user(),
                null,
                // Asked about alone, at no time, it is whether it could ever run: on any of its flavors.
                nowMicros == 0
                        ? Fallback.AT_ONCE
                        : new Fallback(nowMicros, spec.limits().fallbackAfterSeconds()));
    }

    private static JobId id(int index) {
        return new JobId(new UUID(0, index));
    }
}
