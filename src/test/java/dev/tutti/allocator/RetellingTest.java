package dev.tutti.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.model.JobId;
import dev.tutti.model.life.Reason;
import dev.tutti.model.life.ReasonCode;
import dev.tutti.testkit.scenario.AllocatorStage;
import dev.tutti.testkit.scenario.AppliedPlan;
import dev.tutti.testkit.scenario.TestFleet;
import dev.tutti.testkit.scenario.TestJobs;
import dev.tutti.testkit.scenario.TestNode;
import dev.tutti.testkit.scenario.TestQueues;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Who is told new numbers, when, and how many at once. */
class RetellingTest {

    private static final long SECOND = 1_000_000;

    @Test
    void aJobIsToldNewNumbersAfterFiveSecondsAndNotBefore() {
        AllocatorStage stage = AllocatorStage.of(List.of("n1 gpus=8"), List.of("default"))
                .running("a gpus=2", "b gpus=4")
                .submit("big gpus=8");
        stage.decide();
        assertThat(available(stage)).isEqualTo(2_000);
        stage.end("a");

        stage.pass(5 * SECOND - 1).decide();
        assertThat(available(stage)).isEqualTo(2_000);

        stage.pass(1).decide();
        assertThat(available(stage)).isEqualTo(4_000);
    }

    @Test
    void anotherCodeIsToldAtOnce() {
        AllocatorStage stage = AllocatorStage.of(List.of("n1 gpus=8", "n2 gpus=8"), List.of("default"))
                .running("a gpus=6", "b gpus=6")
                .submit("big gpus=6");
        stage.decide();
        assertThat(code(stage)).isEqualTo(ReasonCode.WAITING_FOR_CAPACITY);

        stage.running("c gpus=1").end("a").running("d gpus=3").decide();

        assertThat(stage.waits("big")).isTrue();
        assertThat(code(stage)).isEqualTo(ReasonCode.FRAGMENTED);
    }

    private static long available(AllocatorStage stage) {
        return Objects.requireNonNull(stage.verdict("big")).available();
    }

    private static ReasonCode code(AllocatorStage stage) {
        return Objects.requireNonNull(stage.verdict("big")).code();
    }

    /** Many equal jobs, and others of other groups, over one node of which ever more is taken. */
    private static final class Crowd {
        final TestQueues queues = new TestQueues();
        final Snapshot empty = TestFleet.snapshot(List.of(TestNode.of("n1 gpus=8")), queues.shares());
        final Map<JobId, WaitingJob> jobs = new LinkedHashMap<>();
        final WaitingBook book = new WaitingBook();
        final StandingAllocator standing = new GangAllocator().standing();
        final WaitingJob holder = TestJobs.of("holder gpus=1", 100_000, queues);
        long now = TestJobs.NOW_MICROS;
        Snapshot snapshot = empty;

        Crowd(int alike, int different) {
            for (int i = 0; i < alike + different; i++) {
                WaitingJob job = TestJobs.of("j" + i + " gpus=8" + (i < alike ? "" : " cpu=" + (i - alike)), i, queues);
                jobs.put(job.job(), job);
                book.put(job);
            }
        }

        void hold(int gpus) {
            WaitingJob job = TestJobs.of("holder gpus=" + gpus, 100_000, queues);
            Plan plan = new GangAllocator().decide(empty, List.of(job), now);
            snapshot = AppliedPlan.apply(empty, plan, List.of(job));
        }

        /** One decision, all of which is written; whoever was told new numbers. */
        List<JobId> decide() {
            Plan plan = standing.decide(snapshot, book, now);
            assertThat(plan).isEqualTo(new GangAllocator().decide(snapshot, jobs.values(), now));
            List<Plan.Wait> all = new ArrayList<>(plan.waits());
            all.addAll(plan.retold());
            for (Plan.Wait wait : all) {
                WaitingJob told = jobs.get(wait.job()).told(wait.reason(), now);
                jobs.put(told.job(), told);
                book.put(told);
            }
            return plan.retold().stream().map(Plan.Wait::job).toList();
        }

        long told(long available) {
            return jobs.values().stream()
                    .map(WaitingJob::verdict)
                    .filter(Objects::nonNull)
                    .map(Reason::available)
                    .filter(amount -> amount == available)
                    .count();
        }
    }

    @Test
    void noMoreThanTwoHundredAreToldInOneDecisionAndNobodyIsLeftOut() {
        Crowd crowd = new Crowd(300, 150);
        crowd.hold(1);
        assertThat(crowd.decide()).isEmpty();
        assertThat(crowd.told(7_000)).isEqualTo(450);
        crowd.hold(2);
        crowd.now += 5 * SECOND;

        assertThat(crowd.decide()).hasSize(200);
        assertThat(crowd.standing.nextRetellingMicros()).isLessThanOrEqualTo(crowd.now);
        assertThat(crowd.decide()).hasSize(200);
        assertThat(crowd.decide()).hasSize(50);

        assertThat(crowd.told(6_000)).isEqualTo(450);
        assertThat(crowd.decide()).isEmpty();
        assertThat(crowd.standing.nextRetellingMicros()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void whoWasToldLongestAgoComesFirstHoweverOftenNumbersChange() {
        Crowd crowd = new Crowd(500, 100);
        crowd.hold(1);
        crowd.decide();
        Map<JobId, Integer> times = new LinkedHashMap<>();
        for (int round = 0; round < 60; round++) {
            crowd.now += SECOND;
            crowd.hold(2 + round % 3);
            List<JobId> told = crowd.decide();
            assertThat(told).hasSizeLessThanOrEqualTo(200);
            Set<JobId> distinct = new HashSet<>(told);
            assertThat(distinct).hasSameSizeAs(told);
            told.forEach(job -> times.merge(job, 1, Integer::sum));
        }
        assertThat(times).hasSize(600);
        assertThat(times.values()).allSatisfy(many -> assertThat(many).isBetween(5, 12));
    }
}
