package dev.tutti.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.model.life.ReasonCode;
import dev.tutti.model.queue.QueueLimits;
import dev.tutti.testkit.scenario.AllocatorStage;
import dev.tutti.testkit.scenario.Scenario;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How many jobs may run at once, of a queue and of each user in it. Every decision is compared with one from nothing. */
class LimitsOfRunsTest {

    private static QueueLimits limits(@Nullable Integer jobs, @Nullable Integer ofUser) {
        return limits(jobs, ofUser, null);
    }

    private static QueueLimits limits(@Nullable Integer jobs, @Nullable Integer ofUser, @Nullable Long gpus) {
        return new QueueLimits(null, null, jobs, ofUser, gpus);
    }

    private static AllocatorStage stage(String... queues) {
        return new AllocatorStage().fleet("n1 gpus=8").queues(queues);
    }

    @Test
    void asManyStartAsMayAndTheNextSaysWhy() {
        Scenario.of("two of three")
                .fleet("n1 gpus=8")
                .queues("q jobs=2")
                .submit("a gpus=1 queue=q", "b gpus=1 queue=q", "c gpus=1 queue=q", "d gpus=1")
                .expect("a starts", "b starts", "c waits RUNNING_JOBS_LIMIT runningJobs 1 of 0", "d starts");
    }

    @Test
    void aLimitAboveCountsAllQueuesBelow() {
        Scenario.of("two leaves, one limit")
                .fleet("n1 gpus=8")
                .queues("top jobs=2", "top/a jobs=1", "top/b")
                .submit(
                        "a gpus=1 queue=top/a",
                        "a2 gpus=1 queue=top/a",
                        "b gpus=1 queue=top/b",
                        "b2 gpus=1 queue=top/b")
                .expect("a starts", "a2 waits RUNNING_JOBS_LIMIT", "b starts", "b2 waits RUNNING_JOBS_LIMIT");
    }

    @Test
    void aUserOverTheLimitLetsOthersPassAlsoInAStrictQueue() {
        Scenario.of("anna has one, bert passes")
                .fleet("n1 gpus=8")
                .queues("q userJobs=1 strict")
                .submit("a gpus=1 queue=q user=anna", "a2 gpus=8 queue=q user=anna", "b gpus=1 queue=q user=bert")
                .expect("a starts", "a2 waits USER_LIMIT runningJobs 1 of 0", "b starts");
    }

    @Test
    void aQueueThatMayRunNothingSaysSo() {
        Scenario.of("none at all")
                .fleet("n1 gpus=8")
                .queues("none jobs=0", "nobody userJobs=0")
                .submit("a gpus=1 queue=none", "b gpus=1 queue=nobody user=bert")
                .expect("a waits EXCEEDS_LIMIT runningJobs 1 of 0", "b waits EXCEEDS_LIMIT runningJobs 1 of 0");
    }

    @Test
    void whatEndsLetsTheNextStartAndWhatIsRaisedToo() {
        AllocatorStage stage = stage("q jobs=1");
        stage.running("a gpus=1 queue=q");
        stage.submit("b gpus=1 queue=q", "c gpus=1 queue=q", "d gpus=1 queue=q");
        assertThat(stage.decide())
                .containsExactly(
                        "b waits RUNNING_JOBS_LIMIT 1 of 0",
                        "c waits RUNNING_JOBS_LIMIT 1 of 0",
                        "d waits RUNNING_JOBS_LIMIT 1 of 0");
        assertThat(stage.verdict("b").detail())
                .contains("Queue \"q\" may have 1 running job, and has 1", "when one of them has ended");
        assertThat(stage.decide()).as("nothing changed").isEmpty();
        stage.end("a");
        assertThat(stage.decide()).containsExactly("b starts");
        stage.limit("q", limits(2, null));
        assertThat(stage.decide()).containsExactly("c starts");
        stage.limit("q", limits(null, null));
        assertThat(stage.decide()).containsExactly("d starts");
    }

    @Test
    void aJobThatHoldsNothingThatIsCountedFreesItsPlaceAllTheSame() {
        AllocatorStage stage = stage("q jobs=1");
        stage.running("a queue=q").submit("b queue=q");
        stage.decide();
        stage.end("a");
        assertThat(stage.decide()).containsExactly("b starts");
    }

    @Test
    void aLowerLimitStopsNothing() {
        AllocatorStage stage = stage("q jobs=3");
        stage.running("a gpus=1 queue=q", "b gpus=1 queue=q", "c gpus=1 queue=q");
        stage.limit("q", limits(1, null)).submit("d gpus=1 queue=q", "e gpus=1");
        assertThat(stage.decide()).containsExactly("e starts", "d waits RUNNING_JOBS_LIMIT 1 of 0");
        stage.end("a").end("b");
        assertThat(stage.decide()).as("one runs still").isEmpty();
        stage.end("c");
        assertThat(stage.decide()).containsExactly("d starts");
    }

    @Test
    void whoFirstMeetsTheQueuesLimitAndThenTheUsersIsTold() {
        AllocatorStage stage = stage("q jobs=2 userJobs=1");
        stage.running("a gpus=1 queue=q user=anna", "b gpus=1 queue=q user=bert");
        stage.submit("a2 gpus=1 queue=q user=anna");
        assertThat(stage.decide()).containsExactly("a2 waits RUNNING_JOBS_LIMIT 1 of 0");
        stage.end("b");
        assertThat(stage.decide()).containsExactly("a2 waits USER_LIMIT 1 of 0");
        stage.end("a");
        assertThat(stage.decide()).containsExactly("a2 starts");
    }

    @Test
    void aStrongerJobAsksAWeakerOneOfItsQueueAndWaitsUntilItHasLeft() {
        AllocatorStage stage = stage("q jobs=1");
        stage.running("weak gpus=1 queue=q").submit("strong gpus=1 queue=q priority=1");
        assertThat(stage.decide())
                .containsExactly("weak PREEMPTED for strong", "strong waits WAITING_FOR_VICTIMS 1000 of 0");
        assertThat(stage.decide()).as("it has not left").isEmpty();
        stage.leave();
        assertThat(stage.decide()).containsExactly("strong starts", "weak waits RUNNING_JOBS_LIMIT 1 of 0");
    }

    @Test
    void aPlaceIsFreedByAJobOfAnotherFlavorOrWithoutGpus() {
        AllocatorStage stage = new AllocatorStage()
                .fleet("n1 gpus=8 flavor=a", "n2 gpus=8 flavor=b")
                .queues("q jobs=1");
        stage.running("weak gpus=1 flavors=a queue=q").submit("strong gpus=8 flavors=b queue=q priority=1");
        assertThat(stage.decide()).contains("weak PREEMPTED for strong");
    }

    @Test
    void onlyAJobOfTheSameUserLeavesForAUsersLimit() {
        AllocatorStage stage = stage("q userJobs=1");
        stage.running("b gpus=1 queue=q user=bert", "a gpus=1 queue=q user=anna", "c gpus=1 queue=q user=carl");
        stage.submit("strong gpus=1 queue=q user=anna priority=1");
        assertThat(stage.decide()).contains("a PREEMPTED for strong");
        assertThat(stage.evictions()).hasSize(1);
    }

    @Test
    void nobodyOfAnotherQueueLeavesForALimitAndNobodyEqual() {
        AllocatorStage stage = stage("top jobs=2", "top/a", "top/b quota=h100:8000");
        stage.running("x gpus=1 queue=top/a", "y gpus=1 queue=top/a lane=red");
        stage.submit("b gpus=1 queue=top/b priority=9", "a gpus=1 queue=top/a lane=red");
        assertThat(stage.decide())
                .containsExactlyInAnyOrder("b waits RUNNING_JOBS_LIMIT 1 of 0", "a waits RUNNING_JOBS_LIMIT 1 of 0");
        assertThat(stage.evictions()).isEmpty();
    }

    @Test
    void aLimitIsKeptForWhomOthersLeaveUntilItStarts() {
        AllocatorStage stage = stage("q jobs=2");
        stage.running("w1 gpus=4 queue=q", "w2 gpus=4 queue=q");
        stage.submit("strong gpus=8 queue=q priority=2");
        assertThat(stage.decide()).contains("w1 PREEMPTED for strong", "w2 PREEMPTED for strong");
        stage.submit("small queue=q priority=1", "other queue=q priority=1");
        stage.decide();
        stage.leave();
        assertThat(stage.decide()).contains("strong starts");
        assertThat(stage.runningNow()).contains("strong").hasSize(2);
    }

    @Test
    void aJobOverItsLimitHasNoTimeAndKeepsNothing() {
        AllocatorStage stage = stage("q jobs=1").protectAll();
        stage.running("a gpus=1 queue=q", "big gpus=6 maxRun=100");
        stage.submit("b gpus=8 queue=q", "c gpus=1");
        stage.decide();
        assertThat(stage.reserved()).isEmpty();
        assertThat(stage.runs("c")).isTrue();
    }

    @Test
    void whoHasATimeHasAPlaceAmongThoseThatRun() {
        AllocatorStage stage = stage("q jobs=2").protectAll();
        stage.running("a gpus=4 queue=q maxRun=100");
        stage.submit("b gpus=8 queue=q priority=1", "c gpus=1 queue=q", "d gpus=1 queue=q maxRun=10");
        stage.decide();
        assertThat(stage.reserved()).containsExactly("b");
        assertThat(stage.runningNow())
                .as("c would have the place for good, d ends before")
                .containsExactly("a", "d");
        stage.end("d");
        stage.decide();
        assertThat(stage.verdict("c").code())
                .as("one may run, and it is kept")
                .isEqualTo(ReasonCode.RESERVED_FOR_OTHER);
    }

    @Test
    void whatGrowsTakesNoPlaceMore() {
        AllocatorStage stage = stage("q jobs=1");
        stage.submit("a gpus=1 pods=4 min=1 queue=q");
        assertThat(stage.decide()).containsExactly("a starts");
        assertThat(stage.ranks("a")).hasSize(4);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void anyHistoryIsDecidedAsFromNothingAndWithinItsLimits(int part) {
        LimitHistory.play(25 * part, 25 * part + 25, History::new, "_LIMIT", 50);
    }

    /** Jobs of three users in two queues below one, whose limits change now and then. */
    private static final class History extends LimitHistory {
        History(int seed) {
            super(
                    seed,
                    new AllocatorStage()
                            .fleet("n1 gpus=4", "n2 gpus=4")
                            .queues("top", "top/a" + (seed % 2 == 0 ? " strict" : ""), "top/b quota=h100:4000"));
            change();
        }

        @Override
        String job() {
            return "gpus=" + random.nextInt(5) + " pods=" + (1 + random.nextInt(2)) + " min=1 queue="
                    + (random.nextBoolean() ? "top/a" : random.nextInt(5) == 0 ? "default" : "top/b") + " user=u"
                    + random.nextInt(3) + " priority=" + random.nextInt(3)
                    + (random.nextInt(4) == 0 ? " lane=red" : random.nextInt(4) == 0 ? " lane=green" : "")
                    + (random.nextInt(3) == 0 ? " maxRun=" + (1 + random.nextInt(40)) : "");
        }

        @Override
        void leave() {
            if (random.nextBoolean()) {
                stage.leave();
            } else if (!names.isEmpty()) {
                stage.cancel(names.get(random.nextInt(names.size())));
            }
        }

        @Override
        void pass() {
            stage.leave();
        }

        @Override
        List<String> decide() {
            stage.pass(random.nextInt(2) * 1_000_000L);
            return super.decide();
        }

        @Override
        void change() {
            String queue = List.of("top", "top/a", "top/b").get(random.nextInt(3));
            Integer gpus = maybe(7);
            stage.limit(queue, limits(maybe(4), maybe(3), gpus == null ? null : Long.valueOf(gpus * 1000L)));
        }

        private @Nullable Integer maybe(int most) {
            return random.nextInt(3) == 0 ? null : (Integer) random.nextInt(most);
        }
    }
}
