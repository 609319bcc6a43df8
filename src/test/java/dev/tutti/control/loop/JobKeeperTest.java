package dev.tutti.control.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.control.Actor;
import dev.tutti.control.Ledger;
import dev.tutti.control.OutcomeUnknown;
import dev.tutti.model.JobId;
import dev.tutti.model.life.EndCause;
import dev.tutti.model.life.JobState;
import dev.tutti.model.life.MemberFact;
import dev.tutti.model.life.MemberPhase;
import dev.tutti.testkit.Ports;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class JobKeeperTest {

    private final Bench bench = new Bench();
    private int applied;

    private JobKeeper keeper(int staleRounds) {
        Ledger ledger = Ports.around(Ledger.class, bench.store.ledger(), (method, call) -> {
            if (method.getName().equals("apply")) {
                return ++applied <= staleRounds ? Set.of() : call.call();
            }
            return call.call();
        });
        return new JobKeeper(ledger, bench.leader, bench.alarms::add);
    }

    @Test
    void staleRunsAreLoadedAndDecidedAgain() {
        JobId job = bench.submit(1, 1, 60);
        bench.step();
        assertThat(keeper(3).stop(List.of(job), EndCause.CANCELLED_BY_USER)).isEmpty();
        assertThat(bench.run(job).state()).isEqualTo(JobState.STOPPING);
    }

    @Test
    void butNotForEver() {
        JobId job = bench.submit(1, 1, 60);
        bench.step();
        assertThat(keeper(1000).stop(List.of(job), EndCause.CANCELLED_BY_USER)).containsExactly(job);
        assertThat(applied).isEqualTo(5);
    }

    @Test
    void aLostReplyIsReadBack() {
        JobId job = bench.submit(1, 1, 60);
        bench.step();
        Ledger losing = Ports.around(Ledger.class, bench.store.ledger(), (method, call) -> {
            Object answer = call.call();
            if (method.getName().equals("apply")) {
                applied++;
                throw new OutcomeUnknown("apply", new IllegalStateException());
            }
            return answer;
        });
        JobKeeper keeper = new JobKeeper(losing, bench.leader, bench.alarms::add);
        assertThat(keeper.stop(List.of(job), EndCause.CANCELLED_BY_USER)).isEmpty();
        assertThat(applied).isEqualTo(1);
        assertThat(bench.run(job).state()).isEqualTo(JobState.STOPPING);
    }

    @Test
    void oneBadJobDoesNotStopTheOthers() {
        JobId bad = bench.submit(1, 1, 60);
        JobId good = bench.submit(1, 1, 60);
        bench.run(5);
        bench.keeper.observe(List.of(bad, good), run -> {
            if (run.job().equals(bad)) {
                throw new IllegalStateException("nonsense");
            }
            return List.of(new MemberFact(bench.member(good, 0), MemberPhase.SUCCEEDED, null, EndCause.COMPLETED));
        });
        assertThat(bench.run(good).state()).isEqualTo(JobState.SUCCEEDED);
        assertThat(bench.run(bad).state()).isEqualTo(JobState.RUNNING);
        assertThat(bench.alarms).singleElement().asString().contains(bad.toString(), "nonsense");
    }

    @Test
    void nothingToChangeWritesNothing() {
        JobId job = bench.submit(1, 1, 60);
        bench.step();
        assertThat(keeper(0).observe(List.of(job), run -> List.of())).isEmpty();
        assertThat(applied).isZero();
        assertThat(new Actor.Leader(1)).isEqualTo(bench.leader);
    }

    @Test
    void whatMovedOnSinceItWasFoundOverdueIsNotStopped() {
        JobId job = bench.submit(1, 1, 60);
        Ledger.Overdue found = new Ledger.Overdue(job, bench.run(job).version(), EndCause.DEADLINE);
        bench.step();
        assertThat(bench.run(job).state()).isEqualTo(JobState.ALLOCATED);

        assertThat(keeper(0).stop(List.of(found))).isEmpty();
        assertThat(bench.run(job).state()).isEqualTo(JobState.ALLOCATED);
        assertThat(keeper(0).stop(List.of(new Ledger.Overdue(job, bench.run(job).version(), EndCause.DEADLINE))))
                .isEmpty();
        assertThat(bench.run(job).state()).isEqualTo(JobState.STOPPING);
    }
}
