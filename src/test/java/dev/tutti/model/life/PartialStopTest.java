package dev.tutti.model.life;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.model.AllocationId;
import dev.tutti.model.JobId;
import dev.tutti.model.NodeId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** Members that leave a job which runs on. */
class PartialStopTest {

    private static final JobId JOB = new JobId(new UUID(7, 1));
    private static final Map<String, Integer> MIN_ONE = Map.of("worker", 1);

    /** A master of rank 0 and three workers. */
    private static JobRun run(JobState state, MemberPhase phase) {
        List<Member> members = IntStream.range(0, 4)
                .mapToObj(rank -> new Member(
                        new AllocationId(rank + 1),
                        rank == 0 ? "master" : "worker",
                        rank,
                        new NodeId(1),
                        phase,
                        "uid-" + rank,
                        null))
                .toList();
        return new JobRun(JOB, 3, state, null, false, 1, 0, 1, members);
    }

    private static JobRun running() {
        return run(JobState.RUNNING, MemberPhase.RUNNING);
    }

    private static JobRun see(JobRun run, int rank, MemberPhase phase, @Nullable EndCause cause) {
        return JobLife.observe(run, List.of(new MemberFact(new AllocationId(rank + 1), phase, null, cause)));
    }

    private static Set<Integer> leaving(JobRun run) {
        return run.members().stream()
                .filter(member -> !member.stays())
                .map(Member::rank)
                .collect(Collectors.toSet());
    }

    @Test
    void theHighestRanksOfTheSetLeaveAndTheJobRunsOn() {
        JobRun smaller = JobLife.shrink(running(), "worker", 1);

        assertThat(smaller.state()).isEqualTo(JobState.RUNNING);
        assertThat(leaving(smaller)).containsExactlyInAnyOrder(2, 3);
        assertThat(smaller.members())
                .as("nothing is free yet")
                .noneMatch(one -> one.phase().isReleased());
        assertThat(JobLife.shrink(smaller, "worker", 1)).as("asked again").isEqualTo(smaller);
        assertThat(JobLife.shrink(smaller, "worker", 3))
                .as("whoever leaves, leaves")
                .isEqualTo(smaller);
    }

    @ParameterizedTest
    @EnumSource(
            value = MemberPhase.class,
            names = {"LOST", "FAILED", "GONE", "SUCCEEDED"})
    void whatBecomesOfThemIsNoTroubleOfTheJobs(MemberPhase phase) {
        JobRun after = see(JobLife.shrink(running(), "worker", 2), 3, phase, EndCause.EXIT_CODE);

        assertThat(after.state()).isEqualTo(JobState.RUNNING);
        assertThat(after.failures()).isZero();
        assertThat(after.members().get(3).cause())
                .isEqualTo(phase.isReleased() ? EndCause.CANCELLED_BY_USER : EndCause.EXIT_CODE);
    }

    @Test
    void aMemberThatStaysAndFailsStopsTheWholeJob() {
        JobRun after = see(JobLife.shrink(running(), "worker", 2), 2, MemberPhase.FAILED, EndCause.EXIT_CODE);

        assertThat(after.state()).isEqualTo(JobState.STOPPING);
        assertThat(after.stopping()).isEqualTo(EndCause.EXIT_CODE);
    }

    @Test
    void theJobSucceedsWhenThoseWhoStayedEndedWellAndTheOthersAreGone() {
        JobRun run = JobLife.shrink(running(), "worker", 2);
        for (int rank = 0; rank < 3; rank++) {
            run = see(run, rank, MemberPhase.SUCCEEDED, EndCause.COMPLETED);
        }
        assertThat(run.state()).as("house rule R1: one may still run").isEqualTo(JobState.RUNNING);

        JobRun end = see(run, 3, MemberPhase.FAILED, EndCause.EXIT_CODE);

        assertThat(end.state()).isEqualTo(JobState.SUCCEEDED);
        assertThat(end.stopping()).isEqualTo(EndCause.COMPLETED);
        assertThat(end.failures()).isZero();
    }

    @Test
    void anAllocatedJobRunsWhenThoseWhoStayRun() {
        JobRun run = JobLife.shrink(run(JobState.ALLOCATED, MemberPhase.BOUND), "worker", 1);
        run = see(run, 0, MemberPhase.RUNNING, null);
        assertThat(run.state()).isEqualTo(JobState.ALLOCATED);

        assertThat(see(run, 1, MemberPhase.RUNNING, null).state()).isEqualTo(JobState.RUNNING);
    }

    @Test
    void thoseWhoEndedAreNotAskedToLeaveAndCountAsPodsOfTheJob() {
        JobRun run = see(running(), 3, MemberPhase.SUCCEEDED, EndCause.COMPLETED);

        assertThat(JobLife.shrink(run, "worker", 2)).isEqualTo(run);
        assertThat(leaving(JobLife.shrink(run, "worker", 1))).containsExactly(2);
    }

    @Test
    void victimsKeepTheCauseAndTheGangItsMinimum() {
        JobRun after = JobLife.evict(running(), List.of(3, 2), EndCause.RECLAIMED, MIN_ONE);
        assertThat(leaving(after)).containsExactlyInAnyOrder(2, 3);
        assertThat(see(after, 3, MemberPhase.FAILED, EndCause.EXIT_CODE)
                        .members()
                        .get(3)
                        .cause())
                .isEqualTo(EndCause.RECLAIMED);

        assertThat(JobLife.evict(running(), List.of(1, 2, 3), EndCause.PREEMPTED, MIN_ONE))
                .as("below its minimum: everything or nothing")
                .isEqualTo(running());
        assertThat(JobLife.evict(after, List.of(1), EndCause.PREEMPTED, MIN_ONE))
                .as("those who leave do not count")
                .isEqualTo(after);
        JobRun ending = see(running(), 1, MemberPhase.SUCCEEDED, EndCause.COMPLETED);
        assertThat(JobLife.evict(ending, List.of(2, 3), EndCause.PREEMPTED, MIN_ONE))
                .as("those who ended do not count")
                .isEqualTo(ending);
    }

    /** The same job with a fifth member that is on its way. */
    private static JobRun joinedBy(MemberPhase phase) {
        List<Member> members = new ArrayList<>(running().members());
        members.add(new Member(new AllocationId(5), "worker", 4, new NodeId(2), phase, "uid-4", null));
        return running().with(members);
    }

    @ParameterizedTest
    @CsvSource({
        "COMMITTED, LOST, NODE_LOST",
        "COMMITTED, GONE, NODE_LOST",
        "BOUND, LOST, NODE_LOST",
        "BOUND, FAILED, REJECTED_BY_NODE"
    })
    void aMemberThatJoinedAndNeverRanIsNoTroubleOfTheJobs(MemberPhase before, MemberPhase after, EndCause cause) {
        JobRun run = see(joinedBy(before), 4, after, cause);

        assertThat(run.state()).isEqualTo(JobState.RUNNING);
        assertThat(leaving(run)).containsExactly(4);
        assertThat(see(run, 4, MemberPhase.GONE, null).state()).isEqualTo(JobState.RUNNING);
    }

    @Test
    void aMemberThatJoinedAndRanIsOneLikeTheOthers() {
        JobRun failed = see(joinedBy(MemberPhase.BOUND), 4, MemberPhase.FAILED, EndCause.EXIT_CODE);
        assertThat(failed.state()).as("it ran, and failed").isEqualTo(JobState.STOPPING);
        JobRun lost = see(joinedBy(MemberPhase.RUNNING), 4, MemberPhase.LOST, EndCause.NODE_LOST);
        assertThat(lost.state()).isEqualTo(JobState.STOPPING);
    }

    @Test
    void whatIsNotBoundInTimeStopsAGangAndLeavesAJobThatRuns() {
        assertThat(JobLife.giveUp(run(JobState.ALLOCATED, MemberPhase.COMMITTED), MemberPhase.COMMITTED)
                        .stopping())
                .isEqualTo(EndCause.NOT_READY_IN_TIME);
        JobRun without = JobLife.giveUp(joinedBy(MemberPhase.COMMITTED), MemberPhase.COMMITTED);
        assertThat(without.state()).isEqualTo(JobState.RUNNING);
        assertThat(without.members().get(4).leaving()).isEqualTo(EndCause.NOT_READY_IN_TIME);
        assertThat(leaving(without)).containsExactly(4);
        assertThat(JobLife.giveUp(joinedBy(MemberPhase.BOUND), MemberPhase.COMMITTED))
                .isEqualTo(joinedBy(MemberPhase.BOUND));
    }

    @Test
    void aJobThatStopsWaitsForThoseWhoLeaveToo() {
        JobRun run = JobLife.stop(JobLife.shrink(running(), "worker", 2), EndCause.CANCELLED_BY_USER);
        for (int rank = 0; rank < 3; rank++) {
            run = see(run, rank, MemberPhase.FAILED, EndCause.EXIT_CODE);
        }
        assertThat(run.state()).isEqualTo(JobState.STOPPING);
        assertThat(see(run, 3, MemberPhase.GONE, null).state()).isEqualTo(JobState.CANCELLED);
    }

    @ParameterizedTest
    @EnumSource(
            value = JobState.class,
            names = {"ALLOCATED", "RUNNING"},
            mode = Mode.EXCLUDE)
    void nobodyIsTakenFromAJobThatDoesNotRun(JobState state) {
        JobRun run = run(state, MemberPhase.RUNNING);

        assertThat(JobLife.shrink(run, "worker", 1)).isEqualTo(run);
        assertThat(JobLife.evict(run, List.of(3), EndCause.PREEMPTED, MIN_ONE)).isEqualTo(run);
    }
}
