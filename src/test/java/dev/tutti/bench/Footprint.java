package dev.tutti.bench;

import dev.tutti.allocator.GangAllocator;
import dev.tutti.allocator.Plan;
import dev.tutti.allocator.Snapshot;
import dev.tutti.allocator.StandingAllocator;
import dev.tutti.allocator.WaitingBook;
import dev.tutti.allocator.WaitingJob;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;

/**
 * Prints how much heap the allocator needs: fleets and queues of growing size, each after a full decision and a garbage
 * collection. Run: {@code mvn test-compile spring-boot:test-run -Dstart-class=dev.tutti.bench.Footprint}.
 */
public final class Footprint {

    private static final int[] SIZES = {1_000, 10_000, 100_000};
    private static final int MIB = 1 << 20;
    private static final int COLLECTIONS = 3;

    private Footprint() {}

    /** Needs no arguments. */
    public static void main(String[] args) {
        PrintStream out = System.out;
        long before = usedMib();
        for (int size : SIZES) {
            StandingAllocator allocator = new GangAllocator().standing();
            Snapshot fleet = BenchFleets.racks(size, 60);
            List<WaitingJob> jobs = BenchJobs.waiting(size);
            WaitingBook book = WaitingBook.of(jobs);
            Plan plan = allocator.decide(fleet, book, 0);
            List<Object> kept = new ArrayList<>(List.of(allocator, fleet, jobs, book));
            out.printf(
                    "%,d GPUs, %,d jobs waiting, %,d placed: %,d MiB of heap%n",
                    size, size, plan.placements().size(), usedMib() - before);
            kept.clear();
        }
    }

    private static long usedMib() {
        for (int i = 0; i < COLLECTIONS; i++) {
            System.gc();
        }
        Runtime runtime = Runtime.getRuntime();
        return (runtime.totalMemory() - runtime.freeMemory()) / MIB;
    }
}
