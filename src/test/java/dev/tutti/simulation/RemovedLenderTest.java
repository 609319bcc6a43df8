package dev.tutti.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.allocator.WaitingJob;
import dev.tutti.control.QueueBook.Changed;
import dev.tutti.model.JobId;
import dev.tutti.model.life.JobState;
import dev.tutti.model.life.Reason;
import dev.tutti.model.life.ReasonCode;
import dev.tutti.model.queue.Quotas;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A queue that lent is removed: what can be lent is the sum of what the living were promised. */
class RemovedLenderTest {

    private static final int SOON = 30;

    private final SqlDatabase database = new SqlDatabase(World.LEASE);

    private Stage stage() {
        Stage stage = new Stage(database, 8);
        stage.watched = true;
        Quotas four = Quotas.ofGpus(Map.of("h100", 4_000L));
        database.addQueue("q1", four);
        database.addQueue("q2", four);
        return stage;
    }

    private static JobId submit(Stage stage, String name, String queue, int pods) {
        return stage.submit(stage.spec(name, queue, pods, 1, List.of()));
    }

    private Reason reason(JobId job) {
        return database.feed().since(null).waiting().stream()
                .filter(waiting -> waiting.job().equals(job))
                .map(WaitingJob::verdict)
                .findFirst()
                .orElseThrow();
    }

    @Test
    @DisplayName("B10 first run: once the lender is gone the job waits, and its reason shows the limit that is left")
    void nothingOfARemovedQueueIsLent() {
        try (Stage stage = stage()) {
            assertThat(database.removeQueue("q1")).isInstanceOf(Changed.Done.class);
            stage.run(1);
            JobId job = submit(stage, "J", "q2", 6);
            stage.run(SOON);

            assertThat(stage.state(job)).isEqualTo(JobState.QUEUED);
            Reason reason = reason(job);
            assertThat(reason.code()).isEqualTo(ReasonCode.EXCEEDS_LIMIT);
            assertThat(List.of(reason.wanted(), reason.available()))
                    .as("%s", reason)
                    .containsExactly(6_000L, 4_000L);
            assertThat(stage.used()).isEmpty();
            JobId small = submit(stage, "small", "q2", 4);
            stage.until(small, JobState.RUNNING, SOON);
        }
    }

    @Test
    @DisplayName("B10 second run: what was lent before goes on running, and nothing more is lent")
    void whatWasLentGoesOn() {
        try (Stage stage = stage()) {
            JobId job = submit(stage, "J", "q2", 6);
            stage.until(job, JobState.RUNNING, SOON);
            stage.run(1);
            assertThat(database.removeQueue("q1")).isInstanceOf(Changed.Done.class);
            JobId next = submit(stage, "K", "q2", 1);
            stage.run(2 * SOON);

            assertThat(stage.state(job)).isEqualTo(JobState.RUNNING);
            assertThat(stage.of(job).attempt()).isEqualTo(1);
            assertThat(stage.state(next)).isEqualTo(JobState.QUEUED);
            assertThat(reason(next).code()).isEqualTo(ReasonCode.WAITING_FOR_QUOTA);
            assertThat(stage.heldMilli()).isEqualTo(6_000);

            for (int rank = 0; rank < 6; rank++) {
                stage.cluster.faults().endContainers(stage.pod(job, rank), 0);
            }
            stage.until(job, JobState.SUCCEEDED, SOON);
            stage.until(next, JobState.RUNNING, SOON);
        }
    }

    @Test
    @DisplayName("B10 third run: a lender with a pending job is not removed, and its job starts")
    void aQueueWithAPendingJobStays() {
        try (Stage stage = stage()) {
            JobId lent = submit(stage, "J", "q2", 8);
            stage.until(lent, JobState.RUNNING, SOON);
            JobId pending = stage.submit(stage.spec("P", "q1", 5, 1, List.of()));
            stage.run(2);
            assertThat(stage.state(pending)).isEqualTo(JobState.QUEUED);

            assertThat(database.removeQueue("q1")).isInstanceOf(Changed.Refused.class);
            for (int rank = 0; rank < 8; rank++) {
                stage.cluster.faults().endContainers(stage.pod(lent, rank), 0);
            }
            stage.until(pending, JobState.RUNNING, SOON);
        }
    }
}
