package dev.tutti.bench;

import dev.tutti.allocator.GangAllocator;
import dev.tutti.allocator.Plan;
import dev.tutti.allocator.Snapshot;
import dev.tutti.allocator.StandingAllocator;
import dev.tutti.allocator.WaitingBook;
import dev.tutti.allocator.WaitingJob;
import dev.tutti.control.DryRuns;
import dev.tutti.control.Forecast;
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

        @Param({"0", "1", "3"})
        public int gpus;

        Snapshot fleet;
        JobSpec job;

        @Setup
        public void build() {
            fleet = BenchFleets.racks(nodes * 8, 0);
            job = BenchJobs.spec(BenchJobs.apart(pods, gpus));
        }
    }

    /** Three such jobs wait on a fleet half in use; a node changes, and an ordinary job comes and starts. */
    @State(Scope.Benchmark)
    public static class Stored {
        @Param({"0", "3"})
        public int jobs;

        /** Pods of each set. */
        @Param({"60", "500"})
        public int pods;

        @Param({"1", "3"})
        public int gpus;

        final StandingAllocator allocator = new GangAllocator().standing();
        final WaitingBook book = new WaitingBook();
        final WaitingJob ordinary = BenchJobs.gang(16).get(0);
        Snapshot taken;
        Snapshot freed;
        int turn;

        @Setup(Level.Trial)
        public void build() {
            taken = BenchFleets.racks(8_000, 50);
            freed = BenchFleets.withFreeCpu(taken, 999);
            for (int i = 0; i < jobs; i++) {
                book.put(BenchJobs.waiting(i + 1, BenchJobs.apart(pods + i, gpus), new TopologyWish("cluster", null)));
            }
        }
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
