package dev.tutti.bench;

import dev.tutti.allocator.GangAllocator;
import dev.tutti.allocator.Plan;
import dev.tutti.allocator.Snapshot;
import dev.tutti.allocator.WaitingJob;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** Whole decisions, indexes built anew each time, one thread. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(
        value = 1,
        jvmArgsAppend = {"-Xmx1g", "-XX:+UseSerialGC"})
public class AllocatorBench {

    /** 1,213 nodes and single pods. */
    @State(Scope.Benchmark)
    public static class Singles {
        static final int PODS = 8_000;
        final Snapshot empty = BenchFleets.mixed();
        final Snapshot full = BenchFleets.racks(9_704, 97);
        final List<WaitingJob> pods = BenchJobs.singles(PODS);
        final List<WaitingJob> tenThousand = BenchJobs.singles(10_000);
        final List<WaitingJob> allDifferent = BenchJobs.allDifferent(10_000);
    }

    /** A fleet in 4 levels, 60 % in use, and a gang of 1,000 GPUs. */
    @State(Scope.Benchmark)
    public static class Gangs {
        @Param({"10000", "100000"})
        public int gpus;

        Snapshot snapshot;
        final List<WaitingJob> gang = BenchJobs.gang(1_000);

        @Setup
        public void build() {
            snapshot = BenchFleets.racks(gpus, 60);
        }
    }

    /** 8,000 single pods on the empty fleet: time for all of them. */
    @Benchmark
    public Plan singlePods(Singles state) {
        return new GangAllocator().decide(state.empty, state.pods, 0);
    }

    /** 10,000 waiting pods on 1,213 nodes that are nearly full. */
    @Benchmark
    public Plan tenThousandWaiting(Singles state) {
        return new GangAllocator().decide(state.full, state.tenThousand, 0);
    }

    /** The same with jobs that are all different. */
    @Benchmark
    public Plan tenThousandDifferent(Singles state) {
        return new GangAllocator().decide(state.full, state.allDifferent, 0);
    }

    /** One gang, from snapshot to plan. */
    @Benchmark
    public Plan gang(Gangs state) {
        return new GangAllocator().decide(state.snapshot, state.gang, 0);
    }

    /** What of that is building the indexes. */
    @Benchmark
    public Plan nobodyWaits(Gangs state) {
        return new GangAllocator().decide(state.snapshot, List.of(), 0);
    }
}
