package dev.tutti.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.model.life.ReasonCode;
import dev.tutti.testkit.scenario.AllocatorStage;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Who of a queue gets the time, and that those who ask others to leave do not take what is kept for it. */
class FirstInLineTest {

    @Test
    void whenTheFirstGetsNoTimeTheNextDoesAndKeepsIt() {
        AllocatorStage stage = AllocatorStage.of(List.of("n1 gpus=8", "n2 gpus=8"), List.of())
                .protectAll()
                .running("endless gpus=8", "R gpus=4")
                .submit("both gpus=8 pods=2 priority=9", "next gpus=8 priority=5")
                .settle()
                .settle();
        assertThat(stage.reserved()).as("no end is known").isEmpty();

        stage.limit("R", 100);
        assertThat(stage.reserved()).as("nobody knows when both could start").containsExactly("next");

        stage.pass(1_000_000).submit("small gpus=4").settle();

        assertThat(stage.plannedStart("next")).isEqualTo(100);
        assertThat(stage.verdict("small").code()).isEqualTo(ReasonCode.RESERVED_FOR_OTHER);
        stage.until(100);
        assertThat(stage.startOf("next")).isEqualTo(100);
    }

    @Test
    void whoAsksOthersToLeaveDoesNotTakeWhatIsKept() {
        AllocatorStage stage = keptUntil100();

        stage.submit("endless gpus=4 priority=5").settle();

        assertThat(stage.evictions()).isEmpty();
        assertThat(stage.plannedStart("large")).isEqualTo(100);
        stage.until(100);
        assertThat(stage.startOf("large")).isEqualTo(100);
    }

    @Test
    void whoAsksOthersToLeaveMayTakeWhatItGivesBackInTime() {
        AllocatorStage stage = keptUntil100();

        stage.submit("short gpus=4 priority=5 maxRun=5").settle();

        assertThat(stage.evictions()).containsExactly("weak PREEMPTED for short");
        stage.leave().settle();
        assertThat(stage.startOf("short")).isEqualTo(0);
        stage.until(100);
        assertThat(stage.startOf("large")).isEqualTo(100);
    }

    @Test
    void nobodyIsBackfilledOnWhatIsFreeForWhoAskedOthersToLeave() {
        AllocatorStage stage = AllocatorStage.of(List.of("n1 gpus=8"), List.of())
                .running("equal gpus=2 priority=9 maxRun=100", "weak gpus=2 maxRun=50")
                .submit("large gpus=8 priority=9")
                .settle();
        assertThat(stage.plannedStart("large")).isEqualTo(100);

        stage.submit("short gpus=6 priority=5 maxRun=5", "tiny gpus=4 maxRun=5").settle();

        assertThat(stage.evictions()).containsExactly("weak PREEMPTED for short");
        assertThat(stage.verdict("tiny").code()).isEqualTo(ReasonCode.RESERVED_FOR_OTHER);
        stage.leave().settle();
        assertThat(stage.startOf("short")).isEqualTo(0);
    }

    @Test
    void whoCouldUseMoreLeavesToOthersWhatLeftForThem() {
        AllocatorStage stage = AllocatorStage.of(List.of("n1 gpus=8"), List.of())
                .running("one gpus=4", "two gpus=4")
                .submit("many gpus=4 pods=3 min=1 priority=9", "next gpus=4 priority=5")
                .settle();
        assertThat(stage.evictions()).hasSize(2);

        stage.leave().settle();

        assertThat(stage.startOf("many")).isEqualTo(0);
        assertThat(stage.startOf("next")).isEqualTo(0);
    }

    /** The large job may take from the weak one, but not from the equal one: it waits for its end. */
    private static AllocatorStage keptUntil100() {
        AllocatorStage stage = AllocatorStage.of(List.of("n1 gpus=8"), List.of())
                .running("equal gpus=4 priority=9 maxRun=100", "weak gpus=4 maxRun=50")
                .submit("large gpus=8 priority=9")
                .settle();
        assertThat(stage.plannedStart("large")).isEqualTo(100);
        return stage;
    }
}
