package dev.tutti.control.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.control.ClusterGateway.Outcome;
import dev.tutti.model.JobId;
import dev.tutti.model.life.JobState;
import dev.tutti.model.life.Member;
import dev.tutti.model.life.MemberPhase;
import dev.tutti.simulator.Witness;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The bind call of one member of a gang of eight fails: at the end the gang is whole, or tried again as a whole. */
class BindInMidGangTest {

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

    @ParameterizedTest(
            name = "B05 bind 5 of 8 fails with {0} for {1} s, restart {2}: 8 are bound or none, never between")
    @MethodSource("failures")
    void theGangIsWholeInTheEnd(Failure failure, int seconds, boolean restart) {
        Bench bench = new Bench();
        bench.step();
        JobId job = bench.submit(8, 1, 100_000);
        int[] binds = {0};
        String[] victim = {null};
        bench.gateway.onBind = call -> {
            binds[0]++;
            String name = victim[0];
            boolean fifth = name == null ? binds[0] == FIFTH : last(bench).equals(name);
            if (!fifth) {
                return call.get();
            }
            victim[0] = last(bench);
            return fail(bench, job, failure, call::get);
        };
        int partly = 0;
        for (int second = 0; second < seconds; second++) {
            bench.run(1);
            long bound = bench.run(job).members().stream()
                    .filter(member -> member.phase() == MemberPhase.BOUND || member.phase() == MemberPhase.RUNNING)
                    .count();
            boolean between = bound > 0 && bound < 8 && bench.run(job).state() != JobState.STOPPING;
            partly = between ? partly + 1 : 0;
            assertThat(partly).as("seconds between").isLessThanOrEqualTo(MOST_PARTLY);
        }
        int rank = Integer.parseInt(victim[0].substring("bind ".length()));
        if (restart) {
            bench.pass(11);
            bench.lead("second");
        }
        bench.gateway.onBind = null;
        bench.run(200);

        assertThat(bench.run(job).state()).as("not stuck").isEqualTo(JobState.RUNNING);
        assertThat(bench.phases(job)).hasSize(8);
        if (failure == Failure.TIMEOUT_AND_DONE) {
            assertThat(bench.gateway.calls.stream().filter(("bind " + rank)::equals))
                    .as("it finds the bind and does not bind again")
                    .hasSize(1);
            assertThat(bench.run(job).attempt()).isEqualTo(1);
        }
        Map<String, String> nodes = new HashMap<>();
        for (Witness.Run run : bench.cluster.witness().runs()) {
            assertThat(nodes.put(run.podName(), run.node()))
                    .as("one node for " + run.podName())
                    .isNull();
        }
        assertThat(bench.cluster.witness().overloadCount()).isZero();
        assertThat(bench.cluster.witness().running()).hasSize(8);
        for (Member member : bench.run(job).members()) {
            assertThat(bench.cluster.witness().running())
                    .as("the ledger has what the cluster has")
                    .anyMatch(run -> run.podUid().equals(member.podUid()));
        }
        assertThat(bench.store.truth().heldMilli())
                .hasSize(8)
                .allSatisfy((device, milli) -> assertThat(milli).isEqualTo(1_000));
        assertThat(bench.store.truth().openTasks()).isZero();
        assertThat(bench.alarms).isEmpty();
    }

    private static String last(Bench bench) {
        return bench.gateway.calls.get(bench.gateway.calls.size() - 1);
    }

    private static Outcome fail(Bench bench, JobId job, Failure failure, Supplier<Outcome> call) {
        return switch (failure) {
            case CONFLICT -> new Outcome.Conflict("the object has been modified");
            case POD_GONE -> {
                String name = last(bench).substring("bind ".length());
                bench.cluster.faults().forceDelete(bench.pod(job, Integer.parseInt(name)));
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
