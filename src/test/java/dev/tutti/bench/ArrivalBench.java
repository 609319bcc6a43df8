package dev.tutti.bench;

import dev.tutti.allocator.board.PodShape;
import dev.tutti.simulator.experiment.ArrivalRun;
import dev.tutti.simulator.experiment.Contestant;
import dev.tutti.simulator.experiment.Fleet;
import dev.tutti.simulator.experiment.Outcome;
import dev.tutti.simulator.experiment.Workload;
import dev.tutti.simulator.fleet.Fleets;
import java.util.ArrayList;
import java.util.Collections;
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
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** A whole run of arrivals on 6,216 GPUs until 130 % of them were asked for, one thread; needs no trace. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(
        value = 1,
        jvmArgsAppend = {"-Xmx1g", "-XX:+UseSerialGC"})
@State(Scope.Benchmark)
public class ArrivalBench {

    private static final int PERCENT = 130;

    @Param({"shadow-price", "best-fit", "fragmentation", "random"})
    public String policy;

    private final Fleet fleet = Fleet.of(Fleets.named("nodes=777,gpus=8,flavor=a100-sxm-80g"), List.of());
    private final Workload workload = workload();
    private long seed;

    /** One run, of about 10,300 arrivals; every one draws another order. */
    @Benchmark
    public Outcome arrivals() {
        return ArrivalRun.play(fleet, workload, Contestant.find(policy).orElseThrow(), PERCENT, seed++);
    }

    /** About as many pods as the fleet has GPUs, in the parts in which production clusters see them. */
    private static Workload workload() {
        List<Workload.Pod> pods = new ArrayList<>();
        add(pods, 800, new PodShape(0, 0, 6_000, 12_000));
        add(pods, 800, new PodShape(1, 810, 8_000, 24_000));
        add(pods, 600, new PodShape(1, 470, 6_000, 12_000));
        add(pods, 400, new PodShape(1, 650, 6_000, 12_000));
        add(pods, 500, new PodShape(1, 320, 4_000, 8_000));
        add(pods, 3_000, new PodShape(1, 1_000, 11_000, 48_000));
        add(pods, 50, new PodShape(2, 1_000, 24_000, 96_000));
        add(pods, 20, new PodShape(4, 1_000, 48_000, 192_000));
        add(pods, 40, new PodShape(8, 1_000, 96_000, 393_000));
        return Workload.of(pods);
    }

    private static void add(List<Workload.Pod> pods, int count, PodShape shape) {
        pods.addAll(Collections.nCopies(count, new Workload.Pod(shape, List.of())));
    }
}
