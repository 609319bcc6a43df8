package dev.tutti.bench;

import dev.tutti.allocator.GangAllocator;
import dev.tutti.allocator.Plan;
import dev.tutti.allocator.Snapshot;
import dev.tutti.allocator.StandingAllocator;
import dev.tutti.allocator.WaitingBook;
import dev.tutti.allocator.WaitingJob;
import dev.tutti.control.intake.DryRuns;
import dev.tutti.control.intake.Forecast;
import dev.tutti.model.job.JobSpec;
import dev.tutti.model.job.TopologyWish;
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

/**
 * Jobs of sixteen pod sets that must all be on other nodes than the others: whether there is a place, and what they cost
 * those that wait beside them.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 2, time = 2)
@Measurement(iterations = 4, time = 2)
@Fork(
        value = 1,
        jvmArgsAppend = {"-Xmx1g", "-XX:+UseSerialGC"})
public class ApartBench {

    /** A dry run of one such job on an empty fleet of nodes of 8 GPUs. */
    @State(Scope.Benchmark)
    public static class DryRun {
        @Param({"100", "1000"})
        public int nodes;

        /** How many pods each set has; -1 for 4 to 19 pods of 1 to 4 GPUs, 72 nodes in all. */
        @Param({"-1", "500", "20000"})
        public int pods;

        Snapshot fleet;
        JobSpec job;

        @Setup
        public void build() {
            fleet = BenchFleets.racks(nodes * 8, 0);
            job = BenchJobs.spec(BenchJobs.apart(pods, pods < 0 ? 0 : 1));
        }
    }

    /** A dry run of one with sets of all kinds on 1,213 empty nodes of six flavors. */
    @State(Scope.Benchmark)
    public static class MixedDryRun {
        /** Pods of the largest set: 150 fit, of 200, 300 and 400 nobody knows. */
        @Param({"150", "200", "300", "400"})
        public int pods;

        final Snapshot fleet = BenchFleets.mixed();
        JobSpec job;

        @Setup
        public void build() {
            job = BenchJobs.spec(BenchJobs.apartOfAllKinds(pods));
        }
    }

    /** Such jobs wait and nobody knows whether there is a place; a node changes, an ordinary job comes and starts. */
    @State(Scope.Benchmark)
    public static class Stored {
        @Param({"0", "3"})
        public int jobs;

        @Param({"200", "300", "400"})
        public int pods;

        final StandingAllocator allocator = new GangAllocator().standing();
        final WaitingBook book = new WaitingBook();
        final WaitingJob ordinary = BenchJobs.singles(1).get(0);
        final Snapshot taken = BenchFleets.mixed();
        final Snapshot freed = BenchFleets.withFreeCpu(taken, 900);
        int turn;

        @Setup(Level.Trial)
        public void build() {
            for (int i = 0; i < jobs; i++) {
                TopologyWish wish = new TopologyWish("cluster", null);
                book.put(BenchJobs.waiting(i + 1, BenchJobs.apartOfAllKinds(pods + i), wish));
            }
        }
    }

    @Benchmark
    public Forecast mixedDryRun(MixedDryRun state) {
        return DryRuns.of(state.fleet, state.job, BenchFleets.QUEUE);
    }

    @Benchmark
    public Forecast dryRun(DryRun state) {
        return DryRuns.of(state.fleet, state.job, BenchFleets.QUEUE);
    }

    @Benchmark
    public Plan ordinaryJobBesideStoredOnes(Stored stored) {
        stored.book.put(stored.ordinary);
        Snapshot now = stored.turn++ % 2 == 0 ? stored.freed : stored.taken;
        Plan plan = stored.allocator.decide(now, stored.book, 0);
        stored.book.remove(stored.ordinary.job());
        if (plan.placements().stream().noneMatch(one -> one.job().equals(stored.ordinary.job()))) {
            throw new IllegalStateException("the ordinary job found no place");
        }
        return plan;
    }
}
