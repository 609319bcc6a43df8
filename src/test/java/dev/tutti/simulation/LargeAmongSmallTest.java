package dev.tutti.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.allocator.WaitingJob;
import dev.tutti.model.JobId;
import dev.tutti.model.job.JobSpec;
import dev.tutti.model.job.TimeLimits;
import dev.tutti.model.life.EndCause;
import dev.tutti.model.life.JobState;
import dev.tutti.model.life.ReasonCode;
import dev.tutti.simulator.ClusterTimings;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A large job and an endless stream of small ones, every loop turning on the real ledger, by the clock of the case. */
class LargeAmongSmallTest {

    private static final int SOON = 30;
    private static final int GRACE = 5;
    private static final int EIGHT = 8;

    private final SqlDatabase database = new SqlDatabase(World.LEASE);
    private final Stage stage = new Stage(
            database,
            IntStream.rangeClosed(1, 4)
                    .mapToObj(n -> Stage.node("n" + n, "h100", EIGHT))
                    .toList(),
            ClusterTimings.DEFAULT);
    private final Map<String, JobId> small = new LinkedHashMap<>();
    private final List<JobId> busy = new ArrayList<>();
    private int now;

    private JobId submit(String name, int priority, int pods, Integer maxRunSeconds) {
        JobSpec spec = stage.spec(name, "team", pods, EIGHT, List.of());
        return stage.submit(spec.with(spec.lane(), priority, new TimeLimits(maxRunSeconds, null, null), spec.labels()));
    }

    /** n1 to n3 are busy until 100, 200 and 300; n4 is free; B needs all four. */
    private JobId begin() {
        stage.watched = true;
        for (int i = 1; i <= 3; i++) {
            busy.add(submit("R" + i, 9, 1, 100 * i));
        }
        busy.forEach(job -> stage.until(job, JobState.RUNNING, SOON));
        JobId large = submit("B", 9, 4, null);
        stage.run(1);
        now = 1;
        return large;
    }

    /** Every ten seconds one small job, with maximum run time 50, 1000 and none in turn. */
    private void streamUntil(int second) {
        while (now < second) {
            if (now % 10 == 1) {
                int kind = now / 10 % 3;
                String name = kind == 0 ? "short" : kind == 1 ? "long" : "endless";
                small.put(
                        name + now,
                        submit(name + now, -1, 1, kind == 0 ? Integer.valueOf(50) : kind == 1 ? 1_000 : null));
            }
            stage.run(1);
            now++;
        }
    }

    private String plannedStart(JobId job) {
        List<String> planned =
                database.texts("SELECT start_at::text FROM reservations WHERE job_id = '%s'".formatted(job));
        return planned.isEmpty() ? "none" : planned.get(0);
    }

    private long secondsUntilPlanned(JobId job) {
        return Long.parseLong(database.texts(
                        "SELECT ceil(extract(epoch FROM start_at - now()))::bigint::text FROM reservations WHERE job_id = '%s'"
                                .formatted(job))
                .get(0));
    }

    private List<String> started() {
        return small.entrySet().stream()
                .filter(one -> stage.of(one.getValue()).attempt() > 0)
                .map(Map.Entry::getKey)
                .toList();
    }

    private WaitingJob waiting(JobId job) {
        return database.feed().since(null).waiting().stream()
                .filter(one -> one.job().equals(job))
                .findFirst()
                .orElseThrow();
    }

    @Test
    @DisplayName("B20 the large job starts when it was told to, through a restart, on PostgreSQL")
    void theLargeJobStartsWhenItWasToldTo() {
        try (stage) {
            JobId large = begin();
            assertThat(now + secondsUntilPlanned(large))
                    .as("R3's limit and its grace")
                    .isBetween(300L, 301L + GRACE);
            String planned = plannedStart(large);
            streamUntil(150);
            stage.restart();
            now += World.LEASE.toSeconds() + 1;
            streamUntil(290);
            assertThat(plannedStart(large)).as("nobody delayed it").isEqualTo(planned);
            assertThat(stage.state(large)).isEqualTo(JobState.QUEUED);
            assertThat(started()).isNotEmpty().allMatch(name -> name.startsWith("short"));
            for (String name : List.of("long11", "endless21")) {
                assertThat(waiting(small.get(name)).verdict().code()).isEqualTo(ReasonCode.RESERVED_FOR_OTHER);
                assertThat(waiting(small.get(name)).verdict().detail())
                        .contains("reserved for job " + large + " until ");
            }
            while (stage.state(large) == JobState.QUEUED && now < 400) {
                streamUntil(now + 1);
            }
            assertThat(now).as("300 plus grace, and the turns of the loops").isBetween(298, 300 + GRACE + 5);
            stage.until(large, JobState.RUNNING, SOON);
            assertThat(stage.podsOf(large).stream().filter(pod -> pod.exitCode() == null))
                    .extracting("node")
                    .doesNotHaveDuplicates()
                    .hasSize(4);
            assertThat(started()).allMatch(name -> name.startsWith("short"));
            assertThat(stage.of(large).attempt()).isEqualTo(1);
        }
    }

    @Test
    @DisplayName("B20 when the large job is cancelled at 250 the hold ends in the next cycle, on PostgreSQL")
    void aCancelledJobHoldsNothing() {
        try (stage) {
            JobId large = begin();
            streamUntil(250);
            assertThat(started()).isNotEmpty().allMatch(name -> name.startsWith("short"));

            stage.book.stop(large, EndCause.CANCELLED_BY_USER, null, Stage.ANNA);
            stage.run(1);

            assertThat(plannedStart(large)).isEqualTo("none");
            assertThat(started()).contains("long11", "endless21");
        }
    }

    @Test
    @DisplayName(
            "B20 when a running job ends early the plan moves forward, and the large job starts then, on PostgreSQL")
    void thePlanMovesForward() {
        try (stage) {
            JobId large = begin();
            streamUntil(120);
            String planned = plannedStart(large);
            stage.cluster.faults().endContainers(stage.pod(busy.get(2), 0), 0);
            stage.until(busy.get(2), JobState.SUCCEEDED, SOON);
            now += 2;
            stage.run(2);
            assertThat(plannedStart(large)).isLessThan(planned);
            assertThat(now + secondsUntilPlanned(large))
                    .as("R2's limit and its grace")
                    .isBetween(198L, 205L + GRACE);
            while (stage.state(large) == JobState.QUEUED && now < 400) {
                streamUntil(now + 1);
            }
            assertThat(now).isBetween(190, 200 + GRACE + 5);
            assertThat(started()).allMatch(name -> name.startsWith("short"));
        }
    }
}
