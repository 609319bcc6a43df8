package dev.tutti.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.control.ClusterGateway.Outcome;
import dev.tutti.model.JobId;
import dev.tutti.model.fleet.PodSighting;
import dev.tutti.model.life.JobState;
import dev.tutti.simulator.ClusterTimings;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The bind call of the fifth of eight members fails, on the real ledger: the gang is whole in the end, and no pod is bound twice. */
class BindInMidGangOnSqlTest {

    private static final int FIFTH = 5;
    /** So long a gang may be partly bound, with the turns of the loops. */
    private static final int MOST_PARTLY = 60 + 3;

    /** What the API server answers, and what it did. */
    private enum Failure {
        CONFLICT,
        POD_GONE,
        SERVER_ERROR,
        TIMEOUT_AND_NOT_DONE,
        TIMEOUT_AND_DONE
    }

    /** Shorter than a gang may be partly bound, and longer. */
    static Stream<Arguments> failures() {
        return Stream.of(Failure.values())
                .flatMap(failure -> Stream.of(5, 150)
                        .flatMap(seconds ->
                                Stream.of(false, true).map(restart -> Arguments.of(failure, seconds, restart))));
    }

    @ParameterizedTest(name = "B05 bind 5 of 8 fails with {0} for {1} s on PostgreSQL, restart {2}")
    @MethodSource("failures")
    void theGangIsWholeInTheEnd(Failure failure, int seconds, boolean restart) {
        SqlDatabase database = new SqlDatabase(World.LEASE);
        try (Stage stage = new Stage(
                database, List.of(Stage.node("n1", "h100", 4), Stage.node("n2", "h100", 4)), ClusterTimings.DEFAULT)) {
            stage.watched = true;
            List<String> binds = new ArrayList<>();
            String[] victim = {null};
            stage.onBind = (pod, call) -> {
                binds.add(pod);
                if (victim[0] == null && binds.size() == FIFTH) {
                    victim[0] = pod;
                }
                return pod.equals(victim[0]) ? fail(stage, pod, failure, call) : call.get();
            };
            JobId job = stage.submit(stage.spec("gang", "team", 8, 1, List.of()));
            int partly = 0;
            for (int second = 0; second < seconds; second++) {
                stage.run(1);
                long bound = stage.podsOf(job).stream()
                        .filter(pod -> pod.node() != null && !pod.terminating())
                        .count();
                partly = bound > 0 && bound < 8 ? partly + 1 : 0;
                assertThat(partly).as("seconds between").isLessThanOrEqualTo(MOST_PARTLY);
            }
            assertThat(victim[0]).isNotNull();
            if (restart) {
                stage.restart();
            }
            stage.onBind = (pod, call) -> {
                binds.add(pod);
                return call.get();
            };
            stage.run(200);

            assertThat(stage.state(job)).as("not stuck").isEqualTo(JobState.RUNNING);
            assertThat(stage.podsOf(job)).hasSize(8);
            assertThat(stage.heldMilli())
                    .as("the ledger has what the cluster has")
                    .isEqualTo(8_000);
            assertThat(stage.podsOf(job).stream().map(PodSighting::node).collect(Collectors.groupingBy(node -> node)))
                    .allSatisfy((node, pods) -> assertThat(pods).hasSize(4));
            assertThat(stage.of(job).failures()).isZero();
            assertThat(database.truth().openTasks()).isZero();
            if (failure == Failure.TIMEOUT_AND_DONE) {
                assertThat(binds.stream().filter(victim[0]::equals))
                        .as("it finds the bind and does not bind again")
                        .hasSize(1);
                assertThat(stage.of(job).attempt()).isEqualTo(1);
            }
        }
    }

    private static Outcome fail(Stage stage, String pod, Failure failure, Supplier<Outcome> call) {
        return switch (failure) {
            case CONFLICT -> new Outcome.Conflict("the object has been modified");
            case POD_GONE -> {
                stage.cluster.faults().forceDelete(pod);
                yield new Outcome.Absent();
            }
            case SERVER_ERROR -> new Outcome.Unknown("500");
            case TIMEOUT_AND_NOT_DONE -> new Outcome.Unknown("timeout");
            case TIMEOUT_AND_DONE -> {
                call.get();
                yield new Outcome.Unknown("timeout");
            }
        };
    }
}
