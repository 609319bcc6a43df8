package dev.tutti.bench;

import dev.tutti.allocator.GangAllocator;
import dev.tutti.allocator.Plan;
import dev.tutti.allocator.Snapshot;
import dev.tutti.allocator.StandingAllocator;
import dev.tutti.allocator.WaitingBook;
import dev.tutti.allocator.WaitingJob;
import dev.tutti.allocator.fleet.FleetArrays;
import dev.tutti.model.JobId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/**
 * What it costs that stored verdicts follow their numbers: decisions over many waiting jobs on a full fleet of which a little of one
 * GPU is free, now more and now less, so that the numbers of every job change in every decision. Prints microseconds of one
 * decision, median and 95 of 100.
 */
public final class RetellCost {

    private static final int DECISIONS = 400;
    private static final int WARM_UP = 100;
    private static final long REST_MICROS = 5_000_000;

    private RetellCost() {}

    /** Arguments: how many jobs wait. */
    public static void main(String[] args) {
        int jobs = args.length > 0 ? Integer.parseInt(args[0]) : 10_000;
        for (boolean different : new boolean[] {false, true}) {
            String kinds = different ? "all different" : "of a few kinds";
            List<WaitingJob> waiting = different ? BenchJobs.allDifferent(jobs) : BenchJobs.waiting(jobs);
            print(jobs, kinds, "nothing changes", new Run(waiting).measure(false, 0, false));
            print(jobs, kinds, "numbers change, nobody is due", new Run(waiting).measure(true, 0, false));
            print(jobs, kinds, "numbers change, all are due", new Run(waiting).measure(true, REST_MICROS, true));
            print(jobs, kinds, "numbers change, a second passes", new Run(waiting).measure(true, 1_000_000, true));
        }
    }

    private static void print(int jobs, String kinds, String what, long[] micros) {
        Arrays.sort(micros);
        System.out.printf(
                Locale.ROOT,
                "%d jobs %s, %s: median %d, 95 of 100 %d us, n %d%n",
                jobs,
                kinds,
                what,
                micros[micros.length / 2],
                micros[micros.length * 95 / 100],
                micros.length);
    }

    private static final class Run {
        private final Map<JobId, WaitingJob> jobs = new HashMap<>();
        private final StandingAllocator allocator = new GangAllocator().standing();
        private final WaitingBook book;
        private final List<Snapshot> fleets = new ArrayList<>();
        private long now = 1_000_000_000L;

        Run(List<WaitingJob> waiting) {
            Snapshot full = BenchFleets.racks(10_000, 100);
            for (int milli = 10; milli <= 40; milli += 10) {
                fleets.add(withFree(full, milli));
            }
            waiting.forEach(job -> jobs.put(job.job(), job));
            book = WaitingBook.of(waiting);
            take(allocator.decide(fleets.get(0), book, now));
            take(allocator.decide(fleets.get(0), book, now));
        }

        private static Snapshot withFree(Snapshot full, int milli) {
            FleetArrays old = full.fleet();
            int[] free = old.deviceFreeMilli().clone();
            free[free.length - 1] = milli;
            FleetArrays fleet = old.withFree(
                    old.open(),
                    old.cpuFreeMilli(),
                    old.memoryFreeMib(),
                    old.podsFree(),
                    free,
                    old.deviceWhole(),
                    old.deviceUnits(),
                    old.nics().free());
            return new Snapshot(full.revision() + milli, full.names(), fleet, full.queues(), full.mix());
        }

        /** Only decisions are timed; what they say is written to the book between them. */
        long[] measure(boolean changes, long passes, boolean isTold) {
            long[] micros = new long[DECISIONS];
            long told = 0;
            for (int i = -WARM_UP; i < DECISIONS; i++) {
                Snapshot fleet = fleets.get(changes ? (i + WARM_UP) % fleets.size() : 0);
                now += passes;
                long begin = System.nanoTime();
                Plan plan = allocator.decide(fleet, book, now);
                long nanos = System.nanoTime() - begin;
                take(plan);
                if (i >= 0) {
                    micros[i] = nanos / 1_000;
                    told += plan.retold().size();
                }
            }
            if (isTold && told == 0) {
                throw new IllegalStateException("nobody was told anything new");
            }
            return micros;
        }

        private void take(Plan plan) {
            Stream.concat(plan.waits().stream(), plan.retold().stream()).forEach(wait -> {
                WaitingJob job = jobs.get(wait.job()).told(wait.reason(), now);
                jobs.put(job.job(), job);
                book.put(job);
            });
        }
    }
}
