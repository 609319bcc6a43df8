package dev.tutti.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.model.NodeId;
import dev.tutti.model.queue.QueueLimits;
import dev.tutti.testkit.scenario.AllocatorStage;
import dev.tutti.testkit.scenario.LimitChecks;
import dev.tutti.testkit.scenario.Scenario;
import dev.tutti.testkit.scenario.TestFleet;
import dev.tutti.testkit.scenario.TestJobs;
import dev.tutti.testkit.scenario.TestNode;
import dev.tutti.testkit.scenario.TestQueues;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How many GPUs one user may hold at once. Every decision is compared with one from nothing. */
class LimitsOfGpusTest {

    private static AllocatorStage stage(String... queues) {
        return new AllocatorStage().fleet("n1 gpus=8").queues(queues);
    }

    @Test
    void aUserGetsSoManyGpusAndOthersTheirs() {
        Scenario.of("three each")
                .fleet("n1 gpus=8")
                .queues("q userGpus=3000")
                .submit(
                        "a gpus=2 queue=q user=anna",
                        "a2 gpus=2 queue=q user=anna",
                        "a3 gpus=1 queue=q user=anna",
                        "a4 queue=q user=anna",
                        "b gpus=3 queue=q user=bert")
                .expect("a starts", "a2 waits USER_LIMIT gpuMilli 2000 of 0", "a3 starts", "a4 starts", "b starts");
    }

    @Test
    void allFlavorsAndAllQueuesBelowCountTogether() {
        Scenario.of("two flavors, two leaves")
                .fleet("n1 gpus=8 flavor=a", "n2 gpus=8 flavor=b")
                .queues("top userGpus=4000", "top/a", "top/b")
                .submit(
                        "a gpus=3 flavors=a queue=top/a user=anna",
                        "b gpus=2 flavors=b queue=top/b user=anna",
                        "c gpus=1 flavors=b queue=top/b user=anna")
                .expect("a starts", "b waits USER_LIMIT gpuMilli 2000 of 0", "c starts");
    }

    @Test
    void aGangThatIsLargerThanTheLimitIsToldSoForever() {
        Scenario.of("never")
                .fleet("n1 gpus=8")
                .queues("q userGpus=4000")
                .submit("a gpus=3 pods=2 queue=q user=anna", "b gpus=1 queue=q user=anna")
                .expect("a waits EXCEEDS_LIMIT gpuMilli 6000 of 4000", "b starts");
    }

    @Test
    void theVerdictNamesTheQueueAndBothNumbers() {
        AllocatorStage stage = stage("q userGpus=4000");
        stage.running("a gpus=3 queue=q user=anna").submit("b gpus=2 queue=q user=anna");
        assertThat(stage.decide()).containsExactly("b waits USER_LIMIT 2000 of 1000");
        assertThat(stage.verdict("b").detail())
                .contains("Each user may hold 4 GPUs in queue \"q\"", "this one holds 3 GPUs", "needs 2 GPUs");
        assertThat(stage.decide()).as("nothing changed").isEmpty();
        stage.end("a");
        assertThat(stage.decide()).containsExactly("b starts");
    }

    @Test
    void whatIsRaisedLetsTheNextStartAndWhatIsLoweredStopsNothing() {
        AllocatorStage stage = stage("q userGpus=4000");
        stage.running("a gpus=4 queue=q user=anna").submit("b gpus=2 queue=q user=anna");
        stage.decide();
        stage.limit("q", gpus(6000L));
        assertThat(stage.decide()).containsExactly("b starts");
        stage.limit("q", gpus(1000L)).submit("c gpus=1 queue=q user=anna", "d queue=q user=anna");
        assertThat(stage.decide()).containsExactly("d starts", "c waits USER_LIMIT 1000 of 0");
        stage.end("a").end("b");
        assertThat(stage.decide()).containsExactly("c starts");
    }

    @Test
    void anElasticJobStartsAndGrowsAsFarAsItsUserMay() {
        AllocatorStage stage = stage("q userGpus=5000");
        stage.running("a gpus=2 queue=q user=anna").submit("b gpus=1 pods=6 min=1 queue=q user=anna");
        assertThat(stage.decide()).containsExactly("b starts");
        assertThat(stage.ranks("b")).hasSize(3);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"4000 | 4", "5000 | 5", "1000 | 1", "0 | 1", "9000 | 6"})
    void aJobThatRunsGrowsAsFarAsItsUserMay(long limit, int members) {
        TestQueues queues = new TestQueues();
        queues.add("q userGpus=" + limit);
        TestNode node = TestNode.of("n1 gpus=8 flavor=h100");
        WaitingJob asked = TestJobs.of("e gpus=1 pods=6 min=1 queue=q user=anna", 0, queues);
        Plan.PodPlacement first = new Plan.PodPlacement(
                asked.podSets().get(0).name(), 0, new NodeId(1), "h100", List.of(1L), 1_000, 0, 0, null, List.of());
        RunningJob running = LimitChecks.holder(asked, List.of(first));
        RunningJob other = LimitChecks.holder(TestJobs.of("o gpus=1 queue=q user=bert", 1, queues), List.of(first));
        WaitingJob growth = Growth.of(running, asked.podSets(), asked.topology(), 1, 0);

        Plan plan = new GangAllocator()
                .decide(
                        TestFleet.snapshot(List.of(node), queues.shares()),
                        List.of(growth),
                        List.of(running, other),
                        0);

        assertThat(plan.placements().stream()
                                .mapToInt(one -> one.members().size())
                                .sum()
                        + 1)
                .isEqualTo(members);
    }

    @Test
    void inAStrictQueueAUserOverTheLimitKeepsNobodyBack() {
        Scenario.of("anna has all, bert passes")
                .fleet("n1 gpus=8")
                .queues("q userGpus=4000 strict")
                .submit(
                        "a gpus=3 queue=q user=anna",
                        "a2 gpus=4 queue=q user=anna",
                        "a3 gpus=1 queue=q user=anna",
                        "b gpus=4 queue=q user=bert")
                .expect("a starts", "a2 waits USER_LIMIT gpuMilli 4000 of 0", "a3 starts", "b starts");
    }

    @Test
    void whoComesToItsLimitElsewhereKeepsBackNobodyAnyMore() {
        AllocatorStage stage = stage("top userGpus=6000", "top/a strict", "top/b", "other");
        stage.running("x gpus=4 queue=other user=carl").submit("a gpus=5 queue=top/a user=anna");
        stage.submit("b gpus=1 queue=top/a user=bert");
        assertThat(stage.decide())
                .containsExactly("a waits WAITING_FOR_CAPACITY 5000 of 4000", "b waits RESERVED_FOR_OTHER");
        stage.submit("c gpus=2 queue=top/b user=anna priority=5");
        assertThat(stage.decide()).contains("c starts");
        stage.decide();
        assertThat(stage.runs("b")).as("anna waits for her limit now").isTrue();
        assertThat(stage.verdict("a").code().name()).isEqualTo("USER_LIMIT");
    }

    @Test
    void whoComesToItsLimitElsewhereInTheSameDecisionKeepsBackNobody() {
        AllocatorStage stage = stage("top userGpus=6000", "top/a strict", "top/b", "other");
        stage.running("x gpus=4 queue=other user=carl").submit("a gpus=5 queue=top/a user=anna");
        stage.submit("b gpus=1 queue=top/a user=bert");
        stage.decide();
        assertThat(stage.decide()).as("nothing changed, and nobody is tried").isEmpty();
        assertThat(stage.decide()).isEmpty();
        stage.submit("c gpus=2 queue=top/b user=anna lane=green");
        assertThat(stage.decide())
                .as("green comes first, and leaves anna too little for a")
                .contains("c starts", "b starts");
    }

    @Test
    void aStrongerJobAsksWeakerOnesOfItsUserAlone() {
        AllocatorStage stage = stage("q userGpus=2000");
        stage.running("b gpus=2 queue=q user=bert", "a gpus=2 queue=q user=anna", "c gpus=1 queue=q user=carl");
        stage.submit("strong gpus=2 queue=q user=anna priority=1");
        assertThat(stage.decide()).contains("a PREEMPTED for strong");
        assertThat(stage.evictions()).hasSize(1);
        stage.leave();
        assertThat(stage.decide()).contains("strong starts");
    }

    @Test
    void nobodyLeavesWhenThatWouldNotHelp() {
        AllocatorStage stage = stage("top userGpus=2000", "top/a", "top/b");
        stage.running("b gpus=2 queue=top/a user=bert", "a gpus=2 queue=top/b user=anna");
        stage.submit("strong gpus=2 queue=top/a user=anna priority=9");
        assertThat(stage.decide()).containsExactly("strong waits USER_LIMIT 2000 of 0");
        assertThat(stage.evictions()).isEmpty();
    }

    @Test
    void aJobOverTheLimitHasNoTimeAndKeepsNothing() {
        AllocatorStage stage = stage("q userGpus=2000").protectAll();
        stage.running("a gpus=1 queue=q user=anna", "big gpus=6 maxRun=100");
        stage.submit("b gpus=2 queue=q user=anna", "c gpus=1");
        stage.decide();
        assertThat(stage.reserved()).isEmpty();
        assertThat(stage.runs("c")).isTrue();
    }

    @Test
    void whoHasATimeHasItsGpusOfTheUserToo() {
        AllocatorStage stage = stage("q userGpus=5000").protectAll();
        stage.running("x gpus=6 maxRun=100");
        stage.submit(
                "b gpus=4 queue=q user=anna priority=1", "c gpus=2 queue=q user=anna", "d gpus=1 queue=q user=anna");
        stage.decide();
        assertThat(stage.reserved()).containsExactly("b");
        assertThat(stage.runningNow()).containsExactlyInAnyOrder("x", "d");
    }

    private static QueueLimits gpus(@Nullable Long milli) {
        return new QueueLimits(null, null, null, null, milli);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void anyHistoryIsDecidedAsFromNothingAndWithinItsLimits(int part) {
        LimitHistory.play(40 * part, 40 * part + 40, History::new, "USER_LIMIT", 40);
    }

    /** Jobs of three users in three queues below one, two of them strict, whose limits of GPUs change now and then. */
    private static final class History extends LimitHistory {
        History(int seed) {
            super(
                    seed,
                    new AllocatorStage()
                            .fleet("n1 gpus=4", "n2 gpus=4", "n3 gpus=4 flavor=b")
                            .queues(
                                    "top userGpus=" + (2 + seed % 5) * 1000,
                                    "top/a strict",
                                    "top/b strict",
                                    "top/c quota=h100:4000"));
        }

        @Override
        String job() {
            return "gpus=" + random.nextInt(5) + " pods=" + (1 + random.nextInt(3)) + " min=1 queue=top/"
                    + "abc".charAt(random.nextInt(3)) + " user=u" + random.nextInt(3) + " priority=" + random.nextInt(3)
                    + (random.nextInt(4) == 0 ? " lane=red" : random.nextInt(4) == 0 ? " lane=green" : "")
                    + (random.nextInt(3) == 0 ? " flavors=b" : random.nextInt(3) == 0 ? " flavors=h100" : "")
                    + (random.nextInt(3) == 0 ? " maxRun=" + (1 + random.nextInt(40)) : "");
        }

        @Override
        void change() {
            String queue = List.of("top", "top/a", "top/c").get(random.nextInt(3));
            stage.limit(queue, gpus(random.nextInt(4) == 0 ? null : Long.valueOf(random.nextInt(9) * 1000L)));
        }
    }
}
