package dev.tutti.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.model.life.ReasonCode;
import dev.tutti.testkit.scenario.AllocatorStage;
import dev.tutti.testkit.scenario.TestJobs;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A queue saves what its own jobs give back for the first in line, and nobody behind it takes that. */
class SavingScenariosTest {

    private static final String GANG = "gang gpus=8 queue=a";

    /** Queue a was promised 8 GPUs, which two of its jobs hold until 100 and 200; b holds its own 8. */
    private static AllocatorStage full() {
        return AllocatorStage.of(List.of("n1 gpus=8", "n2 gpus=8"), List.of("a quota=gpu:8000", "b quota=gpu:8000"))
                .running("a1 gpus=4 queue=a", "a2 gpus=4 queue=a", "b1 gpus=8 queue=b")
                .limit("a1", 100)
                .limit("a2", 200);
    }

    private static Instant at(long second) {
        return Instant.ofEpochSecond(TestJobs.NOW_MICROS / 1_000_000 + second);
    }

    @Test
    @DisplayName("B20 A large job whose quota smaller jobs of its queue hold is not passed by others of them")
    void smallJobsBehindDoNotTakeWhatComesFree() {
        AllocatorStage stage = full().submit(GANG).settle();
        assertThat(stage.verdict("gang").code()).isEqualTo(ReasonCode.WAITING_FOR_QUOTA);
        assertThat(stage.verdict("gang").detail()).contains("From " + at(200) + " on its queue has saved enough");

        stage.submit("small gpus=4 queue=a", "long gpus=4 queue=a maxRun=100", "short gpus=4 queue=a maxRun=30");
        stage.until(100);

        assertThat(stage.startOf("short")).as("it ends before").isEqualTo(100);
        stage.until(199);
        for (String name : new String[] {"small", "long"}) {
            assertThat(stage.waits(name)).as(name).isTrue();
            assertThat(stage.verdict(name).code()).as(name).isEqualTo(ReasonCode.RESERVED_FOR_OTHER);
            assertThat(stage.verdict(name).detail())
                    .as(name)
                    .contains("reserved for job " + stage.id("gang") + " until " + at(200));
        }
        stage.until(200);
        assertThat(stage.startOf("gang")).isEqualTo(200);
    }

    @Test
    void otherQueuesBorrowMeanwhileAndGiveItBack() {
        AllocatorStage stage = full().submit(GANG, "b2 gpus=4 queue=b").settle();

        stage.until(100);
        assertThat(stage.startOf("b2")).as("what a saves does not idle").isEqualTo(100);

        stage.until(200);
        assertThat(stage.evictions()).containsExactly("b2 RECLAIMED for gang");
        stage.leave().settle();
        assertThat(stage.startOf("gang")).isEqualTo(200);
    }

    @Test
    void whatIsLeftBesideItIsForThoseBehind() {
        AllocatorStage stage = full().submit("gang gpus=6 queue=a", "two gpus=2 queue=a", "more gpus=1 queue=a")
                .settle();

        stage.until(100);

        assertThat(stage.startOf("two")).as("8 less the 6 of the gang").isEqualTo(100);
        assertThat(stage.verdict("more").code()).isEqualTo(ReasonCode.RESERVED_FOR_OTHER);
        stage.until(200);
        assertThat(stage.startOf("gang")).isEqualTo(200);
    }

    @Test
    void strongerJobsGoFirstAndMoveTheTime() {
        AllocatorStage stage = full().submit(GANG).settle();

        stage.submit("strong gpus=4 queue=a priority=5 maxRun=300").settle();

        assertThat(stage.evictions()).hasSize(1).allMatch(one -> one.endsWith("PREEMPTED for strong"));
        stage.leave().settle();
        assertThat(stage.startOf("strong")).isEqualTo(0);
        assertThat(stage.waits("gang")).isTrue();
    }

    @Test
    void weakerJobsOfItsQueueAreNotWaitedFor() {
        AllocatorStage stage = full().limit("a1", -1)
                .submit("strong gpus=8 queue=a priority=1 lane=yellow")
                .settle();

        assertThat(stage.evictions()).as("it takes theirs").hasSize(2);
    }

    @Test
    void redJobsTakeNoQuotaAndPass() {
        AllocatorStage stage =
                full().submit(GANG, "off gpus=4 queue=a lane=red").settle();

        stage.until(100);

        assertThat(stage.startOf("off")).isEqualTo(100);
        stage.until(200);
        assertThat(stage.evictions()).containsExactly("off PREEMPTED for gang");
    }

    @Test
    void whenItIsCancelledNothingIsSaved() {
        AllocatorStage stage = full().submit(GANG, "small gpus=4 queue=a").settle();
        stage.until(150);
        assertThat(stage.waits("small")).isTrue();

        stage.cancel("gang").settle();

        assertThat(stage.startOf("small")).isEqualTo(150);
    }

    @Test
    void whereNoEndIsKnownNothingIsSaved() {
        AllocatorStage stage =
                full().limit("a2", -1).submit(GANG, "small gpus=4 queue=a").settle();

        stage.until(100);

        assertThat(stage.startOf("small")).isEqualTo(100);
    }

    @Test
    void nothingIsSavedForMoreThanWasPromised() {
        AllocatorStage stage = full().submit("gang gpus=8 pods=2 queue=a", "small gpus=4 queue=a")
                .settle();

        stage.until(100);

        assertThat(stage.startOf("small")).isEqualTo(100);
    }

    @Test
    void theNextInLineWaitsBehindTheFirst() {
        AllocatorStage stage = full().submit(GANG, "second gpus=8 queue=a").settle();

        assertThat(stage.verdict("second").detail()).doesNotContain("saved enough");
        stage.until(200);

        assertThat(stage.startOf("gang")).isEqualTo(200);
        assertThat(stage.waits("second")).isTrue();
    }
}
