package dev.tutti.bench;

import dev.tutti.allocator.GangAllocator;
import dev.tutti.allocator.Plan;
import dev.tutti.allocator.RunningBook;
import dev.tutti.allocator.Snapshot;
import dev.tutti.allocator.StandingAllocator;
import dev.tutti.allocator.WaitingBook;
import dev.tutti.allocator.WaitingJob;
import java.util.HashMap;
import java.util.Map;
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
 * Decisions of the standing allocator over a long queue when little changed: a full fleet of nodes of 8 GPUs in four
 * levels, jobs that wait, and one node whose GPUs come free or are taken between two decisions.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(
        value = 1,
        jvmArgsAppend = {"-Xmx1g", "-XX:+UseSerialGC"})
public class CycleBench {

    /** What changes between two decisions. */
    @State(Scope.Benchmark)
    public static class Cluster {
        @Param({"10000", "100000"})
        public int gpus;

        @Param({"10000", "100000"})
        public int jobs;

        final StandingAllocator allocator = new GangAllocator().standing();
        WaitingBook book = new WaitingBook();
        Snapshot taken;
        Snapshot freed;
        int turn;

        /** Everything full, every job told why it waits; the last node's GPUs are what changes. */
        @Setup(Level.Trial)
        public void build() {
            taken = BenchFleets.racks(gpus, 100);
            freed = BenchFleets.withFreeCpu(taken, gpus / 8 - 1);
            Map<Object, WaitingJob> waiting = new HashMap<>();
            BenchJobs.waiting(jobs).forEach(job -> waiting.put(job.job(), job));
            book = WaitingBook.of(waiting.values());
            Plan first = allocator.decide(taken, book, 0);
            for (Plan.Wait wait : first.waits()) {
                book.put(BenchJobs.told(waiting.get(wait.job()), wait.reason()));
            }
            if (!allocator.decide(taken, book, 0).isEmpty()) {
                throw new IllegalStateException("somebody could start");
            }
        }
    }

    /** The same with a job of 8 GPUs on each node whose limit is known, so that reservations and victims are looked for. */
    @State(Scope.Benchmark)
    public static class Busy {
        @Param({"10000", "100000"})
        public int gpus;

        @Param({"100000"})
        public int jobs;

        final StandingAllocator allocator = new GangAllocator().standing();
        final RunningBook running = new RunningBook();
        WaitingBook book = new WaitingBook();
        Snapshot taken;
        Snapshot freed;
        int turn;

        @Setup(Level.Trial)
        public void build() {
            taken = BenchFleets.racks(gpus, 100);
            freed = BenchFleets.withFreeCpu(taken, gpus / 8 - 1);
            for (int n = 0; n < gpus / 8; n++) {
                running.put(BenchJobs.running(n));
            }
            Map<Object, WaitingJob> waiting = new HashMap<>();
            BenchJobs.waiting(jobs).forEach(job -> waiting.put(job.job(), job));
            book = WaitingBook.of(waiting.values());
            for (Plan.Wait wait : decide(taken).waits()) {
                book.put(BenchJobs.told(waiting.get(wait.job()), wait.reason()));
            }
        }

        Plan decide(Snapshot snapshot) {
            return allocator.decide(snapshot, book, running, 1_000_000);
        }
    }

    /** A fleet 60 % in use, and one gang of 1,000 GPUs that comes and is gone before the next decision. */
    @State(Scope.Benchmark)
    public static class Gangs {
        @Param({"10000", "100000"})
        public int gpus;

        final StandingAllocator allocator = new GangAllocator().standing();
        final WaitingBook book = new WaitingBook();
        final WaitingJob gang = BenchJobs.gang(1_000).get(0);
        Snapshot fleet;

        @Setup(Level.Trial)
        public void build() {
            fleet = BenchFleets.racks(gpus, 60);
        }
    }

    /** A gang of 1,000 GPUs is placed; what the last decision took is taken back. */
    @Benchmark
    public Plan gangArrives(Gangs gangs) {
        gangs.book.put(gangs.gang);
        Plan plan = gangs.allocator.decide(gangs.fleet, gangs.book, 0);
        gangs.book.remove(gangs.gang.job());
        if (plan.placements().isEmpty()) {
            throw new IllegalStateException("the gang found no place");
        }
        return plan;
    }

    /** Nothing changed. */
    @Benchmark
    public Plan nothingChanged(Cluster cluster) {
        return cluster.allocator.decide(cluster.taken, cluster.book, 0);
    }

    /** One node got or lost CPU, which no waiting job can use. */
    @Benchmark
    public Plan oneNodeChanged(Cluster cluster) {
        return cluster.allocator.decide(cluster.turn++ % 2 == 0 ? cluster.freed : cluster.taken, cluster.book, 0);
    }

    /** Nothing changed, and it is known who runs. */
    @Benchmark
    public Plan nothingChangedBesideRunning(Busy busy) {
        return busy.decide(busy.taken);
    }

    /** One node got or lost CPU, and it is known who runs. */
    @Benchmark
    public Plan oneNodeChangedBesideRunning(Busy busy) {
        return busy.decide(busy.turn++ % 2 == 0 ? busy.freed : busy.taken);
    }
}
