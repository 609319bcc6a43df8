package dev.tutti.allocator.evict;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.model.job.Lane;
import dev.tutti.testkit.scenario.Stage;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Jobs of a lane that does not preempt make nobody leave for being weaker, and get back what their queue was promised. */
class RightsOfLanesTest {

    @Test
    void nobodyOfItsQueueLeaves() {
        Stage stage = Stage.of(List.of("n1 gpus=8"), List.of("q quota=gpu:8000"))
                .running("low gpus=4 queue=q", "night gpus=4 queue=q lane=red")
                .askNobody(Lane.YELLOW)
                .submit("high gpus=4 queue=q priority=9");
        assertThat(stage.decide()).containsExactly("high waits WAITING_FOR_CAPACITY 4000 of 0");

        assertThat(stage.askNobody().decide()).contains("night PREEMPTED for high");
    }

    @Test
    void otherLanesKeepTheirRight() {
        Stage stage = Stage.of(List.of("n1 gpus=8"), List.of("q quota=gpu:8000"))
                .running("low gpus=8 queue=q")
                .askNobody(Lane.YELLOW, Lane.RED)
                .submit("urgent gpus=8 queue=q lane=green");
        assertThat(stage.decide()).contains("low PREEMPTED for urgent");
    }

    @Test
    void whatTheQueueWasPromisedComesBack() {
        Stage stage = Stage.of(List.of("n1 gpus=8"), List.of("q quota=gpu:4000", "r quota=gpu:4000"))
                .running("lent gpus=8 queue=r")
                .askNobody(Lane.GREEN, Lane.YELLOW, Lane.RED)
                .submit("back gpus=4 queue=q");
        assertThat(stage.decide()).contains("lent RECLAIMED for back");
    }

    @Test
    void redJobsOfOthersLeaveOnlyForWhatWasPromised() {
        Stage stage = Stage.of(List.of("n1 gpus=8"), List.of("q quota=gpu:4000", "r quota=gpu:4000"))
                .running("night gpus=8 queue=r lane=red")
                .askNobody(Lane.YELLOW)
                .submit("borrows gpus=6 queue=q");
        assertThat(stage.decide()).containsExactly("borrows waits WAITING_FOR_CAPACITY 6000 of 0");

        stage.submit("back gpus=4 queue=q");
        assertThat(stage.decide()).contains("night RECLAIMED for back");
    }

    @Test
    void whoGetsBackWhatWasPromisedTakesNothingElse() {
        Stage stage = Stage.of(List.of("n1 gpus=8"), List.of("q quota=gpu:4000", "r quota=gpu:4000"))
                .running("lent gpus=6 queue=r", "weak gpus=2 queue=q lane=red")
                .askNobody(Lane.YELLOW)
                .submit("back gpus=2 queue=q");
        assertThat(stage.decide()).as("not the weak one of its own queue").contains("lent RECLAIMED for back");
    }

    @Test
    void redJobsLeaveOnlyOnFlavorsOfWhichSomethingWasPromised() {
        Stage stage = Stage.of(
                        List.of("n1 gpus=2 flavor=h100", "n2 gpus=2 flavor=a100"),
                        List.of("q quota=h100:2000", "r quota=h100:2000,a100:2000"))
                .running("here gpus=2 queue=r lane=red flavors=h100", "there gpus=2 queue=r lane=red flavors=a100")
                .askNobody(Lane.YELLOW)
                .submit("back gpus=2 queue=q flavors=a100,h100");
        assertThat(stage.decide()).contains("here RECLAIMED for back");
    }

    @Test
    void aRedJobOfAQueueOutsideAllQuotasHasNothingToGetBack() {
        Stage stage = Stage.of(List.of("n1 gpus=8"), List.of("q", "r"))
                .running("night gpus=8 queue=r lane=red")
                .askNobody(Lane.YELLOW)
                .submit("day gpus=4 queue=q");
        assertThat(stage.decide()).noneMatch(line -> line.contains("RECLAIMED"));
        assertThat(stage.askNobody().decide()).contains("night RECLAIMED for day");
    }
}
