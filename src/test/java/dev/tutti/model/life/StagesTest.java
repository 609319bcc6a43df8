package dev.tutti.model.life;

import static dev.tutti.model.life.MemberPhase.BOUND;
import static dev.tutti.model.life.MemberPhase.COMMITTED;
import static dev.tutti.model.life.MemberPhase.LOST;
import static dev.tutti.model.life.MemberPhase.RUNNING;
import static dev.tutti.model.life.MemberPhase.SUCCEEDED;
import static dev.tutti.model.life.MemberPhase.WAITING;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.model.AllocationId;
import dev.tutti.model.JobId;
import dev.tutti.model.NodeId;
import dev.tutti.model.job.StartAfter;
import dev.tutti.model.job.StartAfter.When;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Members of later stages: who is called when, and what their trouble is to the job. */
class StagesTest {

    private static final StartAfter A_RUNS = new StartAfter("a", When.RUNNING);

    private static Member member(String set, MemberPhase phase, StartAfter... after) {
        return new Member(new AllocationId(1), set, 0, new NodeId(1), phase, null, null, null, Arrays.asList(after));
    }

    /** These members, ranked from 0. */
    private static JobRun run(JobState state, Member... members) {
        List<Member> ranked = new ArrayList<>();
        for (Member one : members) {
            int rank = ranked.size();
            ranked.add(new Member(
                    new AllocationId(rank + 1),
                    one.podSet(),
                    rank,
                    one.node(),
                    one.phase(),
                    "uid-" + rank,
                    null,
                    one.leaving(),
                    one.startAfter()));
        }
        return new JobRun(new JobId(new UUID(7, 1)), 3, state, null, false, 1, 0, 1, ranked);
    }

    private static JobRun see(JobRun run, int rank, MemberPhase phase, @Nullable EndCause cause) {
        return JobLife.observe(run, List.of(new MemberFact(new AllocationId(rank + 1), phase, null, cause)));
    }

    private static JobRun see(JobRun run, int rank, MemberPhase phase) {
        return see(run, rank, phase, null);
    }

    private static MemberPhase last(JobRun run) {
        return run.members().get(run.members().size() - 1).phase();
    }

    @ParameterizedTest(name = "B55 who waits for two sets waits for both, {0}")
    @EnumSource(When.class)
    void whoWaitsForTwoWaitsForBoth(When when) {
        MemberPhase come = when == When.RUNNING ? RUNNING : SUCCEEDED;
        for (boolean swapped : new boolean[] {false, true}) {
            List<StartAfter> both = new ArrayList<>(List.of(new StartAfter("a", when), new StartAfter("b", when)));
            if (swapped) {
                Collections.reverse(both);
            }
            JobRun before = run(
                    JobState.ALLOCATED,
                    member("a", BOUND),
                    member("b", BOUND),
                    member("c", WAITING, both.toArray(StartAfter[]::new)));
            JobRun running = see(see(before, 0, come), 1, when == When.RUNNING ? BOUND : RUNNING);
            assertThat(last(running)).as("one has come").isEqualTo(WAITING);
            assertThat(last(see(running, 1, come))).isEqualTo(COMMITTED);
        }
    }

    @Test
    @DisplayName("B55 who waits for a set waits for each of its members, but not for those asked to leave")
    void whoWaitsForASetWaitsForEachOfItsMembers() {
        JobRun both = run(JobState.ALLOCATED, member("a", BOUND), member("a", BOUND), member("c", WAITING, A_RUNS));
        assertThat(last(see(both, 0, RUNNING))).isEqualTo(WAITING);
        assertThat(last(see(see(both, 0, RUNNING), 1, RUNNING))).isEqualTo(COMMITTED);

        JobRun smaller = run(
                JobState.ALLOCATED,
                member("a", BOUND),
                member("a", BOUND).leave(EndCause.CANCELLED_BY_USER),
                member("c", WAITING, A_RUNS));
        assertThat(last(see(smaller, 0, RUNNING))).isEqualTo(COMMITTED);
    }

    @Test
    @DisplayName("B55 a set that has ended well before anybody saw it run has run; one that runs has not ended well")
    void whatHasEndedWellHasRun() {
        JobRun before = run(JobState.ALLOCATED, member("a", BOUND), member("c", WAITING, A_RUNS));
        assertThat(last(see(before, 0, SUCCEEDED, EndCause.COMPLETED))).isEqualTo(COMMITTED);

        JobRun ends =
                run(JobState.ALLOCATED, member("a", BOUND), member("c", WAITING, new StartAfter("a", When.SUCCEEDED)));
        JobRun runs = see(ends, 0, RUNNING);
        assertThat(runs.state()).as("all run that were called").isEqualTo(JobState.RUNNING);
        assertThat(last(runs)).isEqualTo(WAITING);
    }

    @Test
    @DisplayName("B55 nobody is called who was asked to leave, or whose job stops")
    void nobodyIsCalledWhoLeaves() {
        JobRun leaves = run(
                JobState.ALLOCATED,
                member("a", BOUND),
                member("c", WAITING, A_RUNS).leave(EndCause.CANCELLED_BY_USER));
        assertThat(last(see(leaves, 0, RUNNING))).isEqualTo(WAITING);

        JobRun stops = run(JobState.STOPPING, member("a", BOUND), member("c", WAITING, A_RUNS));
        assertThat(last(see(stops, 0, RUNNING))).isEqualTo(WAITING);
    }

    @Test
    @DisplayName("B55 a job is not whole without its later stage: one lost or late before it ran stops all")
    void theJobIsNotWholeWithoutItsLaterStage() {
        JobRun running = run(JobState.RUNNING, member("a", RUNNING), member("c", BOUND, A_RUNS));
        JobRun lost = see(running, 1, LOST, EndCause.NODE_LOST);
        assertThat(lost.state()).isEqualTo(JobState.STOPPING);
        assertThat(lost.stopping()).isEqualTo(EndCause.NODE_LOST);

        JobRun late = JobLife.giveUp(running, BOUND);
        assertThat(late.state()).isEqualTo(JobState.STOPPING);
        assertThat(late.stopping()).isEqualTo(EndCause.NOT_READY_IN_TIME);
        JobRun guest = run(JobState.RUNNING, member("a", RUNNING), member("a", BOUND));
        assertThat(JobLife.giveUp(guest, BOUND).state())
                .as("one that joined later")
                .isEqualTo(JobState.RUNNING);
    }
}
