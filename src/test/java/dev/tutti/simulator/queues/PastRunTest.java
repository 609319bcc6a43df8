package dev.tutti.simulator.queues;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.allocator.quota.HalfLife;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Two queues without a quota of their own beside an owner who needs nothing: one of them has all for an hour, then both want it. */
class PastRunTest {

    private static final int FLEET = 8;
    private static final int OWNER = 0;
    private static final int FIRST = 1;
    private static final int SECOND = 2;
    private static final long HOUR = 3_600;
    private static final List<QueueNode> QUEUES = List.of(
            new QueueNode("owner", -1, FLEET, 1), new QueueNode("first", -1, 0, 1), new QueueNode("second", -1, 0, 1));

    /** GPU seconds that the first queue had more than the second until each full hour. */
    private static final class Watcher implements RunWatcher {
        private final List<Long> ahead = new ArrayList<>();
        private long since;
        private long difference;
        private long now;

        @Override
        public void settled(QueueRun run) {
            while (since < run.now()) {
                long until = Math.min(run.now(), (since / HOUR + 1) * HOUR);
                now += difference * (until - since);
                since = until;
                if (since % HOUR == 0) {
                    ahead.add(now);
                }
            }
            long before = run.books().held(FIRST);
            difference = before - run.books().held(SECOND);
        }
    }

    private static Watcher play(HalfLife halfLife, int hours) {
        List<QueuedJob> jobs = new ArrayList<>();
        // Twice as much as there is, in jobs of ten minutes, one after the other.
        for (int n = 0; n < 2 * FLEET * hours * 6; n++) {
            long at = n * 600L / (2 * FLEET);
            jobs.add(new QueuedJob(FIRST, at, 1, 600));
            if (at >= HOUR) {
                jobs.add(new QueuedJob(SECOND, at, 1, 600));
            }
        }
        jobs.add(new QueuedJob(OWNER, 0, 1, 1));
        Watcher watcher = new Watcher();
        QueueOutcome outcome =
                QueueRun.play(QUEUES, jobs, RunRules.queues(true, true).remembering(halfLife), watcher, done -> {});
        assertThat(outcome.evictions()).as("the past takes from nobody").isLessThanOrEqualTo(1);
        return watcher;
    }

    @Test
    void whoHadNothingGetsTheSurplusFirstAndCatchesUp() {
        Watcher without = play(HalfLife.OFF, 6);
        Watcher with = play(new HalfLife(HOUR), 6);
        long hour = FLEET * HOUR;
        assertThat(without.ahead.get(0)).isGreaterThan(hour * 9 / 10);
        assertThat(without.ahead.get(5)).as("nobody remembers").isGreaterThan(hour * 9 / 10);
        assertThat(with.ahead.get(0)).isEqualTo(without.ahead.get(0));
        assertThat(with.ahead.get(1)).as("the second catches up at once").isLessThan(hour * 3 / 4);
        assertThat(with.ahead.get(5)).as("and keeps what it made up for").isLessThan(hour * 7 / 10);
    }

    @Test
    void inTheLongRunBothHaveTheSame() {
        Watcher with = play(new HalfLife(HOUR), 16);
        long each = FLEET * 16 * HOUR / 2;
        assertThat(with.ahead.get(15)).as("less than a tenth apart").isBetween(0L, each / 10);
        for (int hour = 3; hour < 16; hour++) {
            assertThat(Math.abs(with.ahead.get(hour) - with.ahead.get(hour - 1)))
                    .as("it does not swing from one to the other, hour %d", hour)
                    .isLessThan(FLEET * HOUR / 20);
        }
    }
}
