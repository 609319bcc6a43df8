package dev.tutti.bench;

import dev.tutti.allocator.GangAllocator;
import dev.tutti.allocator.Plan;
import dev.tutti.allocator.RunningBook;
import dev.tutti.allocator.RunningJob;
import dev.tutti.allocator.Snapshot;
import dev.tutti.allocator.WaitingBook;
import dev.tutti.allocator.WaitingJob;
import dev.tutti.testkit.scenario.AppliedPlan;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** A gang of 64 nodes asks weaker jobs to leave, on a full fleet with one job of 8 GPUs on each node; decided from nothing. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 2, time = 1)
@Measurement(iterations = 3, time = 1)
@Fork(
        value = 1,
        jvmArgsAppend = {"-Xmx1g", "-XX:+UseSerialGC"})
@State(Scope.Benchmark)
public class EvictBench {

    private static final int GANG_NODES = 64;

    @Param({"250", "1000", "4000"})
    public int nodes;

    private final RunningBook running = new RunningBook();
    private Snapshot full;
    private WaitingJob gang;

    @Setup(Level.Trial)
    public void build() {
        Snapshot empty = BenchFleets.racks(nodes * 8, 0);
        gang = stronger(BenchJobs.gang(GANG_NODES * 8).get(0));
        WaitingJob one = BenchJobs.gang(8).get(0);
        Map<Object, WaitingJob> weak = new HashMap<>();
        for (int i = 0; i < nodes; i++) {
            WaitingJob job = BenchJobs.waiting(i + 1, one.podSets(), one.topology());
            weak.put(job.job(), job);
        }
        Plan plan = new GangAllocator().decide(empty, weak.values(), 0);
        full = AppliedPlan.apply(empty, plan, weak.values());
        for (Plan.Placement placement : plan.placements()) {
            WaitingJob job = weak.get(placement.job());
            running.put(new RunningJob(
                    job.job(),
                    1,
                    job.queue(),
                    job.lane(),
                    0,
                    0,
                    0,
                    0,
                    0,
                    false,
                    placement.members(),
                    Set.of(),
                    Map.of()));
        }
        if (decide().evictions().size() != GANG_NODES) {
            throw new IllegalStateException(
                    decide().evictions().size() + " of " + plan.placements().size() + " leave");
        }
    }

    private static WaitingJob stronger(WaitingJob job) {
        return new WaitingJob(
                job.job(), 1, job.queue(), job.lane(), 9, 0, 0, job.podSets(), job.topology(), job.verdict());
    }

    @Benchmark
    public Plan decide() {
        return new GangAllocator().standing().decide(full, WaitingBook.of(List.of(gang)), running, 1_000_000);
    }
}
