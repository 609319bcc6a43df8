package dev.tutti.allocator.reserve;

import dev.tutti.allocator.RunningBook;
import dev.tutti.allocator.RunningJob;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Known ends of running jobs, in order of time. Never changes. */
final class Endings {

    private static final Comparator<Ending> BY_TIME = Comparator.comparingLong(Ending::micros)
            .thenComparing(Ending::job, Comparator.nullsFirst(Comparator.comparing(RunningJob::job)));

    /** What most jobs are given between the signal to stop and the kill. */
    static final long LEAVING_MICROS = 30_000_000;

    private final Ending[] inOrder;

    private Endings(Stream<Ending> endings) {
        inOrder = endings.sorted(BY_TIME).toArray(Ending[]::new);
    }

    /**
     * At some time a job has given back what it holds.
     *
     * @param job null for one that has not begun yet, whose end is only a time at which to look
     */
    record Ending(long micros, @Nullable RunningJob job) {}

    /** Nobody runs. */
    static Endings none() {
        return new Endings(Stream.empty());
    }

    /**
     * The ends of these jobs. Of one that is leaving the end is near though nobody may know when: what was known before stays,
     * else it is taken to need as long as most do.
     */
    Endings follow(RunningBook running, Ends ends, long nowMicros) {
        return new Endings(running.jobs().stream()
                .map(job -> new Ending(end(job, ends, nowMicros), job))
                .filter(ending -> ending.micros != Ends.UNKNOWN));
    }

    private long end(RunningJob job, Ends ends, long nowMicros) {
        long end = ends.of(job);
        return end == Ends.UNKNOWN && job.leaving()
                ? Arrays.stream(inOrder)
                        .filter(each -> each.job != null && each.job.job().equals(job.job()))
                        .mapToLong(Ending::micros)
                        .findFirst()
                        .orElse(nowMicros + LEAVING_MICROS)
                : end;
    }

    /** The same, and times at which jobs end that have not begun yet. */
    Endings with(List<Reservation> others) {
        return others.stream().allMatch(other -> other.endMicros() == Ends.UNKNOWN)
                ? this
                : new Endings(Stream.concat(
                        Arrays.stream(inOrder),
                        others.stream()
                                .map(Reservation::endMicros)
                                .filter(end -> end != Ends.UNKNOWN)
                                .map(end -> new Ending(end, null))));
    }

    int size() {
        return inOrder.length;
    }

    Ending at(int index) {
        return inOrder[index];
    }

    /** How many are not later than this. */
    int until(long micros) {
        int low = 0;
        int high = inOrder.length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (inOrder[middle].micros <= micros) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }
}
