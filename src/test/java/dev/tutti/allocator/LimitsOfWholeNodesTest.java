package dev.tutti.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.model.queue.QueueLimits;
import dev.tutti.testkit.scenario.AllocatorStage;
import dev.tutti.testkit.scenario.Scenario;
import dev.tutti.testkit.scenario.TestFleet;
import dev.tutti.testkit.scenario.TestJobs;
import dev.tutti.testkit.scenario.TestNode;
import dev.tutti.testkit.scenario.TestQueues;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How many whole nodes of a flavor a queue may hold at once. Every decision is compared with one from nothing. */
class LimitsOfWholeNodesTest {

    private static AllocatorStage stage(int nodes, String... queues) {
        AllocatorStage stage = new AllocatorStage();
        for (int n = 1; n <= nodes; n++) {
            stage.fleet("n" + n + " gpus=8");
        }
        return stage.queues(queues);
    }

    @Test
    void aQueueGetsSoManyWholeNodesAndOthersTheirs() {
        Scenario.of("two of four")
                .fleet("n1 gpus=8", "n2 gpus=8", "n3 gpus=8", "n4 gpus=8")
                .queues("q nodes=gpu:2", "other")
                .submit("a gpus=8 pods=2 queue=q", "b gpus=8 queue=q", "c gpus=8 queue=other")
                .expect("a starts", "b waits WHOLE_NODES_LIMIT wholeNodes 1 of 0", "c starts");
    }

    @Test
    void aPodWithLessThanANodeCountsForNone() {
        Scenario.of("seven of eight, and none at all")
                .fleet("n1 gpus=8", "n2 gpus=8", "n3 gpus=8")
                .queues("q nodes=gpu:0")
                .submit("a gpus=7 queue=q", "b gpus=4 pods=2 queue=q", "cpu gpus=0 queue=q", "c gpus=8 queue=q")
                .expect("a starts", "b starts", "cpu starts", "c waits EXCEEDS_LIMIT wholeNodes 1 of 0");
    }

    @Test
    void ofAFlavorWithNodesOfSeveralSizesTheLargestCounts() {
        Scenario.of("four of four are no whole node where there are eight")
                .fleet("small gpus=4", "large gpus=8")
                .queues("q nodes=gpu:0")
                .submit("a gpus=4 queue=q", "b gpus=8 queue=q")
                .expect("a starts", "b waits EXCEEDS_LIMIT wholeNodes 1 of 0");
    }

    @Test
    void eachFlavorHasALimitOfItsOwnAndOneThatIsNotNamedNone() {
        Scenario.of("one of a, any of b")
                .fleet("a1 gpus=8 flavor=a", "a2 gpus=8 flavor=a", "b1 gpus=4 flavor=b", "b2 gpus=4 flavor=b")
                .queues("q nodes=a:1")
                .submit(
                        "one gpus=8 queue=q flavors=a",
                        "two gpus=8 queue=q flavors=a",
                        "three gpus=4 pods=2 queue=q flavors=b")
                .expect("one starts", "two waits WHOLE_NODES_LIMIT wholeNodes 1 of 0", "three starts");
    }

    @Test
    void aJobThatMayRunOnTwoFlavorsTakesTheOneThatIsLeft() {
        AllocatorStage stage = new AllocatorStage()
                .fleet("a1 gpus=8 flavor=a", "a2 gpus=8 flavor=a", "b1 gpus=8 flavor=b")
                .queues("q nodes=a:1,b:1");
        stage.running("x gpus=8 queue=q flavors=a");
        stage.submit("y gpus=8 queue=q flavors=a,b", "z gpus=8 queue=q flavors=a,b");
        assertThat(stage.decide()).containsExactly("y starts", "z waits WHOLE_NODES_LIMIT 1 of 0");
    }

    @Test
    void aFlavorOfWhichItMayNeverHoldEnoughIsPassedOver() {
        Scenario.of("two nodes of a are never let, of b they are")
                .fleet("a1 gpus=8 flavor=a", "a2 gpus=8 flavor=a", "b1 gpus=8 flavor=b", "b2 gpus=8 flavor=b")
                .queues("q nodes=a:1")
                .submit("y gpus=8 pods=2 queue=q flavors=a,b fallback=600 since=0")
                .expect("y starts");
    }

    @Test
    void theQueuesBelowCountTogetherForEachQueueAbove() {
        Scenario.of("three below, two each")
                .fleet("n1 gpus=8", "n2 gpus=8", "n3 gpus=8", "n4 gpus=8", "n5 gpus=8")
                .queues("top nodes=gpu:3", "top/a nodes=gpu:2", "top/b nodes=gpu:2", "top/b/x")
                .submit(
                        "a gpus=8 pods=2 queue=top/a",
                        "a3 gpus=8 queue=top/a",
                        "b gpus=8 queue=top/b/x",
                        "b2 gpus=8 queue=top/b/x")
                .expect(
                        "a starts",
                        "a3 waits WHOLE_NODES_LIMIT wholeNodes 1 of 0",
                        "b starts",
                        "b2 waits WHOLE_NODES_LIMIT wholeNodes 1 of 0");
    }

    @Test
    void quotaThatIsLentBringsNoWholeNodeMore() {
        Scenario.of("borrowed GPUs, and a limit")
                .fleet("n1 gpus=8", "n2 gpus=8", "n3 gpus=8")
                .queues("top", "top/a quota=gpu:8000 nodes=gpu:1", "top/b quota=gpu:16000")
                .submit("a gpus=8 queue=top/a", "a2 gpus=8 queue=top/a", "a3 gpus=4 pods=2 queue=top/a")
                .expect("a starts", "a2 waits WHOLE_NODES_LIMIT wholeNodes 1 of 0", "a3 starts");
    }

    @Test
    void redJobsCountToo() {
        Scenario.of("red is outside quota, and not outside limits")
                .fleet("n1 gpus=8", "n2 gpus=8")
                .queues("q nodes=gpu:1")
                .submit("a gpus=8 queue=q lane=red", "b gpus=8 queue=q lane=red")
                .expect("a starts", "b waits WHOLE_NODES_LIMIT wholeNodes 1 of 0");
    }

    @Test
    void theVerdictNamesTheQueueTheFlavorAndTheNumbers() {
        AllocatorStage stage = stage(6, "q nodes=gpu:4");
        stage.running("a gpus=8 pods=3 queue=q").submit("b gpus=8 pods=2 queue=q");
        assertThat(stage.decide()).containsExactly("b waits WHOLE_NODES_LIMIT 2 of 1");
        assertThat(stage.verdict("b").detail())
                .contains("Queue \"q\" may hold 4 whole nodes of gpu", "holds 3", "needs 2");
        assertThat(stage.decide()).as("nothing changed").isEmpty();
        stage.end("a");
        assertThat(stage.decide()).containsExactly("b starts");
    }

    @Test
    void aGangThatIsLargerThanTheLimitIsToldSoForever() {
        AllocatorStage stage = stage(4, "q nodes=gpu:2");
        stage.submit("a gpus=8 pods=3 queue=q", "b gpus=8 queue=q");
        assertThat(stage.decide()).containsExactlyInAnyOrder("a waits EXCEEDS_LIMIT 3 of 2", "b starts");
        assertThat(stage.verdict("a").detail()).contains("once that limit is raised, or with fewer");
        stage.end("b").limit("q", nodes("gpu", 3));
        assertThat(stage.decide()).containsExactly("a starts");
    }

    @Test
    void whatIsRaisedLetsTheNextStartAndWhatIsLoweredStopsNothing() {
        AllocatorStage stage = stage(4, "q nodes=gpu:1");
        stage.running("a gpus=8 queue=q").submit("b gpus=8 queue=q");
        stage.decide();
        stage.limit("q", nodes("gpu", 2));
        assertThat(stage.decide()).containsExactly("b starts");
        stage.limit("q", nodes("gpu", 1)).submit("c gpus=8 queue=q");
        assertThat(stage.decide()).containsExactly("c waits WHOLE_NODES_LIMIT 1 of 0");
        assertThat(stage.evictions()).isEmpty();
        stage.end("a");
        assertThat(stage.decide()).isEmpty();
        stage.limit("q", QueueLimits.NONE);
        assertThat(stage.decide()).containsExactly("c starts");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"3 | 3", "1 | 1", "5 | 4", "0 | 0"})
    void anElasticJobStartsAsFarAsItsQueueMay(int limit, int pods) {
        AllocatorStage stage = stage(5, "q nodes=gpu:" + limit);
        stage.submit("e gpus=8 pods=4 min=1 queue=q");
        stage.decide();
        assertThat(stage.runs("e")).isEqualTo(pods > 0);
        assertThat(pods == 0 ? List.of() : stage.ranks("e")).hasSize(pods);
    }

    @Test
    void inAStrictQueueOneOverTheLimitKeepsNobodyBack() {
        Scenario.of("whole nodes are used up, parts are not")
                .fleet("n1 gpus=8", "n2 gpus=8")
                .queues("q nodes=gpu:1 strict")
                .submit("a gpus=8 queue=q", "b gpus=8 queue=q", "c gpus=4 queue=q")
                .expect("a starts", "b waits WHOLE_NODES_LIMIT wholeNodes 1 of 0", "c starts");
    }

    @Test
    void inAStrictQueueOneWaitsOnlyForFlavorsThatItsLimitLeaves() {
        AllocatorStage stage = new AllocatorStage()
                .fleet("a1 gpus=8 flavor=a", "a2 gpus=8 flavor=a", "b1 gpus=8 flavor=b")
                .queues("q nodes=a:1 strict", "other");
        stage.running("x gpus=8 queue=q flavors=a", "y gpus=1 queue=other flavors=b");
        stage.submit("big gpus=8 queue=q flavors=a,b", "onA gpus=4 queue=q flavors=a", "onB gpus=4 queue=q flavors=b");
        assertThat(stage.decide())
                .as("big can run on b alone, and waits for that")
                .contains("onA starts")
                .anyMatch(line -> line.startsWith("onB waits RESERVED_FOR_OTHER"));
    }

    @Test
    void whoComesToTheLimitElsewhereInTheSameDecisionKeepsBackNobody() {
        AllocatorStage stage = stage(2, "top nodes=gpu:2", "top/a strict", "top/b", "other");
        stage.running("x gpus=4 queue=other");
        stage.submit("a gpus=8 pods=2 queue=top/a", "b gpus=4 queue=top/a");
        stage.decide();
        assertThat(stage.decide()).as("nothing changed, and nobody is tried").isEmpty();
        assertThat(stage.runs("b")).as("a waits for capacity").isFalse();
        stage.submit("c gpus=8 queue=top/b lane=green");
        assertThat(stage.decide())
                .as("green comes first, and leaves too little of the limit for a")
                .contains("c starts", "b starts");
        assertThat(stage.verdict("a").code().name()).isEqualTo("WHOLE_NODES_LIMIT");
    }

    @Test
    void aStrongerJobAsksWeakerOnesOfItsQueueThatHoldWholeNodes() {
        AllocatorStage stage = stage(4, "q nodes=gpu:1", "other");
        stage.running("part gpus=4 queue=q", "whole gpus=8 queue=q", "o gpus=8 queue=other");
        stage.submit("strong gpus=8 queue=q priority=1");
        assertThat(stage.decide()).contains("whole PREEMPTED for strong");
        assertThat(stage.evictions()).hasSize(1);
        stage.leave();
        assertThat(stage.decide()).contains("strong starts");
    }

    @Test
    void nobodyLeavesWhenThatWouldNotHelp() {
        AllocatorStage stage = stage(4, "top nodes=gpu:1", "top/a", "top/b");
        stage.running("part gpus=4 queue=top/a", "whole gpus=8 queue=top/b priority=3");
        stage.submit("strong gpus=8 queue=top/a priority=9");
        assertThat(stage.decide()).containsExactly("strong waits WHOLE_NODES_LIMIT 1 of 0");
        assertThat(stage.evictions()).isEmpty();
    }

    @Test
    void aJobOverTheLimitHasNoTimeAndKeepsNothing() {
        AllocatorStage stage = stage(2, "q nodes=gpu:1", "other").protectAll();
        stage.running("a gpus=8 queue=q maxRun=100");
        stage.submit("b gpus=8 queue=q", "c gpus=8 queue=other");
        stage.decide();
        assertThat(stage.reserved()).isEmpty();
        assertThat(stage.runs("c")).isTrue();
    }

    @Test
    void whoHasATimeHasItsWholeNodesOfTheLimitToo() {
        AllocatorStage stage = stage(3, "q nodes=gpu:2", "other").protectAll();
        stage.running("x gpus=8 pods=2 queue=other maxRun=100");
        stage.submit("b gpus=8 pods=2 queue=q priority=1", "c gpus=8 queue=q", "d gpus=4 queue=q maxRun=10");
        stage.decide();
        assertThat(stage.reserved()).containsExactly("b");
        assertThat(stage.runs("c")).as("the limit is kept for b").isFalse();
        assertThat(stage.runs("d")).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"q nodes=gpu:2", "q jobs=1", "q userJobs=1", "q userGpus=16000"})
    void onAnEmptyFleetWhatIsWithinItsLimitStarts(String queue) {
        TestQueues queues = new TestQueues();
        queues.add(queue);
        List<TestNode> fleet = List.of(TestNode.of("n1 gpus=8"), TestNode.of("n2 gpus=8"), TestNode.of("n3 gpus=8"));
        Trial trial = new GangAllocator().trial(TestFleet.snapshot(fleet, queues.shares()));
        assertThat(trial.start(TestJobs.of("a gpus=8 pods=2 queue=q", 0, queues))
                        .pods())
                .isEqualTo(2);
        assertThat(trial.start(TestJobs.of("b gpus=8 pods=3 queue=q", 1, queues))
                        .starts())
                .as("three nodes")
                .isEqualTo(queue.contains("obs="));
    }

    private static QueueLimits nodes(String flavor, int nodes) {
        return new QueueLimits(null, null, null, null, null, Map.of(flavor, nodes));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void anyHistoryIsDecidedAsFromNothingAndWithinItsLimits(int part) {
        LimitHistory.play(40 * part, 40 * part + 40, History::new, "WHOLE_NODES_LIMIT", 40);
    }

    /** Jobs in three queues below one, two of them strict, whose limits of whole nodes change now and then. */
    private static final class History extends LimitHistory {
        History(int seed) {
            super(
                    seed,
                    new AllocatorStage()
                            .fleet(
                                    "n1 gpus=2",
                                    "n2 gpus=2",
                                    "n3 gpus=2",
                                    "n4 gpus=2",
                                    "n5 gpus=2",
                                    "n6 gpus=2",
                                    "m1 gpus=2 flavor=b",
                                    "m2 gpus=1 flavor=b",
                                    "m3 gpus=2 flavor=b")
                            .queues(
                                    "top nodes=gpu:" + (1 + seed % 3) + ",b:" + (seed % 3),
                                    "top/a strict userGpus=6000",
                                    "top/b strict nodes=gpu:2",
                                    "top/c quota=gpu:4000"));
        }

        @Override
        String job() {
            return "gpus=" + List.of(0, 1, 2, 2, 2).get(random.nextInt(5)) + " pods=" + (1 + random.nextInt(3))
                    + (random.nextInt(2) == 0 ? " min=1" : "") + " queue=top/" + "abc".charAt(random.nextInt(3))
                    + " user=u" + random.nextInt(2) + " priority=" + random.nextInt(3)
                    + (random.nextInt(4) == 0 ? " lane=red" : random.nextInt(4) == 0 ? " lane=green" : "")
                    + List.of("", " flavors=b", " flavors=gpu", " flavors=gpu,b", " flavors=b,gpu")
                            .get(random.nextInt(5))
                    + (random.nextInt(3) == 0 ? " maxRun=" + (1 + random.nextInt(40)) : "");
        }

        @Override
        void change() {
            String queue = List.of("top", "top/b", "top/c").get(random.nextInt(3));
            stage.limit(
                    queue,
                    random.nextInt(4) == 0
                            ? QueueLimits.NONE
                            : nodes(random.nextInt(3) == 0 ? "b" : "gpu", random.nextInt(4)));
        }
    }
}
