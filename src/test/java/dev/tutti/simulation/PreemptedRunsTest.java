package dev.tutti.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.model.JobId;
import dev.tutti.model.fleet.PodSighting;
import dev.tutti.model.job.TimeLimits;
import dev.tutti.model.life.EndCause;
import dev.tutti.model.life.JobState;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What a preemption costs its victim, on the real ledger: one end event a run, and no failure. */
class PreemptedRunsTest {

    private static final int RUNS = 4;

    @Test
    @DisplayName("B18 three preemptions with late and repeated reports are three end events and no failure")
    void aPreemptionIsOneEndEventAndNoFailure() {
        SqlDatabase database = new SqlDatabase(World.LEASE);
        try (Stage stage = new Stage(database, 1)) {
            JobId victim = stage.submit(stage.spec("V", 10, 1, 30, TimeLimits.NONE));
            List<JobId> winners = new ArrayList<>();
            for (int run = 1; run < RUNS; run++) {
                untilRunning(stage, victim, run);
                String pod = stage.pod(victim, 0);
                JobId winner = stage.submit(stage.spec("P" + run, 100, 1, 10, TimeLimits.NONE));
                winners.add(winner);
                stage.until(victim, JobState.STOPPING, 20);
                stage.cluster.faults().endContainers(pod, 137);
                stage.run(1);
                PodSighting ended = gone(stage.sightings.get(pod));
                stage.until(winner, JobState.RUNNING, 20);
                stage.sayAgain(ended);
                stage.run(2);
                assertThat(stage.of(victim).failures()).isZero();
                assertThat(stage.state(victim)).as("queued again").isEqualTo(JobState.QUEUED);
                stage.until(winner, JobState.SUCCEEDED, 30);
                stage.sayAgain(ended);
            }
            untilRunning(stage, victim, RUNS);
            stage.until(victim, JobState.SUCCEEDED, 60);

            assertThat(stage.of(victim).failures()).isZero();
            assertThat(stage.of(victim).attempt()).as("number of runs").isEqualTo(RUNS);
            List<String> preempted = IntStream.range(1, RUNS)
                    .mapToObj(run -> run + " " + EndCause.PREEMPTED + " " + winners.get(run - 1))
                    .toList();
            assertThat(ends(database, victim).subList(0, RUNS - 1)).isEqualTo(preempted);
            assertThat(ends(database, victim)).hasSize(RUNS).last().isEqualTo(RUNS + " " + EndCause.COMPLETED + " -");
            assertThat(attempts(database, victim)).isEqualTo(ends(database, victim));
        }
    }

    private static void untilRunning(Stage stage, JobId job, int attempt) {
        for (int i = 0; i < 60 && !(stage.of(job).attempt() == attempt && stage.state(job) == JobState.RUNNING); i++) {
            stage.run(1);
        }
        assertThat(stage.state(job)).as("run " + attempt).isEqualTo(JobState.RUNNING);
    }

    /** The node-side report that nothing of this name is there, with all that was known of it. */
    static PodSighting gone(PodSighting last) {
        return new PodSighting(
                last.name(),
                last.uid(),
                last.resourceVersion(),
                last.allocation(),
                last.node(),
                last.phase(),
                true,
                true,
                null,
                "NotFound");
    }

    /** Attempt and cause of every event that tells that an attempt is over, in their order. */
    private static List<String> ends(SqlDatabase database, JobId job) {
        String live = List.of(JobState.ALLOCATED, JobState.RUNNING, JobState.STOPPING).stream()
                .map(state -> "'" + state + "'")
                .collect(Collectors.joining(", "));
        return database.texts(("SELECT (data ->> 'attempt') || ' ' || (data ->> 'cause') || ' '"
                        + " || COALESCE(data ->> 'stoppedFor', '-') FROM events"
                        + " WHERE type = 'job.state' AND subject = '%s' AND data ->> 'from' IN (%s)"
                        + " AND data ->> 'to' NOT IN (%s) ORDER BY xid, id")
                .formatted(job, live, live));
    }

    private static List<String> attempts(SqlDatabase database, JobId job) {
        return database.texts(
                "SELECT number || ' ' || cause || ' ' || COALESCE(stopped_for::text, '-') FROM attempts WHERE job_id = '%s' ORDER BY number"
                        .formatted(job));
    }
}
