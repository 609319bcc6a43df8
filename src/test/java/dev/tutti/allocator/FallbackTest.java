package dev.tutti.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.model.job.Lane;
import dev.tutti.testkit.scenario.Stage;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A job keeps to the flavor it names first for a while; each decision is compared with one made from nothing. */
class FallbackTest {

    private static final long SECOND = 1_000_000;
    private static final List<String> TWO = List.of("h1 gpus=8 flavor=h100", "a1 gpus=8 flavor=a100");
    private static final List<String> QUEUE = List.of("q");

    @Test
    void itWaitsForTheFirstFlavorAndThenTakesTheSecond() {
        Stage stage = Stage.of(TWO, QUEUE)
                .running("other gpus=8 flavors=h100 queue=q")
                .submit("a gpus=2 flavors=h100,a100 fallback=600 queue=q");
        assertThat(stage.decide()).containsExactly("a waits WAITING_FOR_CAPACITY 2000 of 0 until 600");
        assertThat(stage.told("a")).endsWith(" It keeps to h100 until 1970-01-12T13:56:40Z; then it may use a100 too.");
        assertThat(stage.nextWake()).isEqualTo(600);

        assertThat(stage.pass(599 * SECOND).decide()).as("a second before").isEmpty();
        assertThat(stage.pass(SECOND).decide()).containsExactly("a starts");
        assertThat(stage.flavorsOf("a")).containsExactly("a100");
    }

    @Test
    void itStartsOnTheFirstFlavorAsSoonAsThatIsFree() {
        Stage stage = Stage.of(TWO, QUEUE)
                .running("other gpus=8 flavors=h100 queue=q")
                .submit("a gpus=2 flavors=h100,a100 fallback=600 queue=q");
        stage.decide();
        assertThat(stage.pass(30 * SECOND).end("other").decide()).containsExactly("a starts");
        assertThat(stage.flavorsOf("a")).containsExactly("h100");
    }

    @Test
    void oneMoreFlavorOpensAfterEachPeriodAndEachTimeIsTold() {
        Stage stage = Stage.of(
                        List.of("h1 gpus=8 flavor=h100 used=8", "a1 gpus=8 flavor=a100 used=8", "t1 gpus=8 flavor=t4"),
                        QUEUE)
                .submit(
                        "a gpus=1 flavors=h100,a100,t4 fallback=10 queue=q",
                        "b gpus=1 flavors=h100,a100,t4 fallback=10 since=4 queue=q");
        assertThat(stage.decide())
                .containsExactly(
                        "a waits WAITING_FOR_CAPACITY 1000 of 0 until 10",
                        "b waits WAITING_FOR_CAPACITY 1000 of 0 until 14");
        assertThat(stage.pass(10 * SECOND).decide()).containsExactly("a waits WAITING_FOR_CAPACITY 1000 of 0 until 20");
        assertThat(stage.told("a")).contains(" It keeps to h100, a100 until ").endsWith("; then it may use t4 too.");
        assertThat(stage.nextWake()).isEqualTo(14);
        assertThat(stage.pass(10 * SECOND).decide())
                .containsExactly("a starts", "b waits WAITING_FOR_CAPACITY 1000 of 0 until 24");
        assertThat(stage.pass(4 * SECOND).decide()).containsExactly("b starts");
    }

    @Test
    void whereEverythingIsFullTheTimeIsTakenBackWhenAllAreOpen() {
        Stage stage = Stage.of(List.of("h1 gpus=8 flavor=h100 used=8", "a1 gpus=8 flavor=a100 used=7"), QUEUE)
                .submit("a gpus=2 flavors=h100,a100 fallback=10 queue=q");
        assertThat(stage.decide()).containsExactly("a waits WAITING_FOR_CAPACITY 2000 of 0 until 10");
        assertThat(stage.pass(10 * SECOND).decide()).containsExactly("a waits WAITING_FOR_CAPACITY 2000 of 1000");
        assertThat(stage.told("a")).doesNotContain("keeps to");
        assertThat(stage.decide()).as("said once").isEmpty();
    }

    @Test
    void aLaneSaysItForJobsThatDoNot() {
        Stage stage = Stage.of(TWO, QUEUE)
                .running("other gpus=8 flavors=h100 queue=q")
                .fallback(Lane.GREEN, -1)
                .fallback(Lane.YELLOW, 60)
                .submit(
                        "green gpus=1 flavors=h100,a100 fallback=lane lane=green queue=q",
                        "own gpus=1 flavors=h100,a100 fallback=30 lane=green queue=q",
                        "yellow gpus=1 flavors=h100,a100 fallback=lane queue=q",
                        "red gpus=1 flavors=h100,a100 fallback=lane lane=red queue=q")
                .askNobody(Lane.GREEN);
        assertThat(stage.decide())
                .containsExactly(
                        "red starts",
                        "green waits WAITING_FOR_CAPACITY 1000 of 0 for good",
                        "own waits WAITING_FOR_CAPACITY 1000 of 0 until 30",
                        "yellow waits WAITING_FOR_CAPACITY 1000 of 0 until 60");
        assertThat(stage.told("green"))
                .endsWith(" It keeps to h100, which it names first, and never uses a100: its lane does not fall back."
                        + " A job that may says so with fallbackAfterSeconds.");
        assertThat(stage.flavorsOf("red")).containsExactly("a100");

        assertThat(stage.pass(20 * SECOND).fallback(Lane.YELLOW, 20).decide()).containsExactly("yellow starts");
        assertThat(stage.pass(10 * SECOND).decide()).containsExactly("own starts");
        assertThat(stage.pass(1_000_000 * SECOND).decide()).isEmpty();
        assertThat(stage.fallback(Lane.GREEN, 0).decide()).containsExactly("green starts");
    }

    @Test
    void aFlavorThatCanNeverTakeItIsNotWaitedFor() {
        Stage stage = Stage.of(
                        List.of(
                                "h1 gpus=4 flavor=h100",
                                "l1 gpus=8 flavor=l40",
                                "a1 gpus=8 flavor=a100",
                                "a2 gpus=8 flavor=a100"),
                        List.of("q quota=h100:4000,a100:16000,l40:0 borrows=h100:0,a100:0,l40:0"))
                .fallback(Lane.GREEN, -1)
                .submit(
                        "unknown gpus=1 flavors=b200,a100 fallback=600 queue=q",
                        "large gpus=8 flavors=h100,a100 fallback=lane lane=green queue=q",
                        "quota gpus=1 flavors=l40,a100 fallback=600 queue=q",
                        "gang gpus=2 pods=3 flavors=h100,a100 fallback=600 queue=q");
        assertThat(stage.decide()).contains("unknown starts", "large starts", "quota starts", "gang starts");
    }

    @Test
    void aClosedNodeIsWaitedForAsIfItWereFull() {
        Stage stage = Stage.of(List.of("h1 gpus=8 flavor=h100 closed", "a1 gpus=8 flavor=a100"), QUEUE)
                .submit("a gpus=2 flavors=h100,a100 fallback=600 queue=q");
        assertThat(stage.decide()).containsExactly("a waits WAITING_FOR_CAPACITY 2000 of 0 until 600");
    }

    @Test
    void thoseWhoCouldNeverRunOnAnyAreToldOfAll() {
        Stage stage = Stage.of(TWO, QUEUE).submit("a gpus=9 flavors=h100,a100 fallback=600 queue=q");
        assertThat(stage.decide()).containsExactly("a waits EXCEEDS_LIMIT 9000 of 8000");
    }

    @Test
    void othersLeaveOnlyOnOpenFlavors() {
        Stage stage = Stage.of(TWO, QUEUE)
                .running("h gpus=8 flavors=h100 priority=9 queue=q", "a gpus=8 flavors=a100 queue=q")
                .submit("strong gpus=8 flavors=h100,a100 priority=5 fallback=60 queue=q");
        assertThat(stage.decide()).containsExactly("strong waits WAITING_FOR_CAPACITY 8000 of 0 until 60");
        assertThat(stage.pass(60 * SECOND).decide()).contains("a PREEMPTED for strong");
    }

    @Test
    void inAStrictQueueItKeepsOthersOnlyOffOpenFlavors() {
        Stage stage = Stage.of(TWO, List.of("q strict"))
                .running("other gpus=8 flavors=h100 queue=q")
                .submit("head gpus=8 flavors=h100,a100 fallback=60 queue=q", "small gpus=1 flavors=a100 queue=q");
        assertThat(stage.decide()).contains("small starts");
        stage.pass(60 * SECOND).submit("late gpus=1 flavors=a100 queue=q");
        assertThat(stage.decide())
                .containsExactlyInAnyOrder(
                        "head waits WAITING_FOR_CAPACITY 8000 of 7000", "late waits RESERVED_FOR_OTHER");
    }

    @Test
    void eachSetHasItsOwnFlavors() {
        Stage stage = Stage.of(List.of("h1 zone=z gpus=8 flavor=h100", "a1 zone=z gpus=8 flavor=a100"), QUEUE)
                .running("other gpus=8 flavors=h100 queue=q")
                .submit("a gpus=1 flavors=h100,a100 fallback=60 queue=q + ps gpus=1 flavors=a100");
        assertThat(stage.decide()).hasSize(1).first().asString().endsWith(" until 60");
        assertThat(stage.told("a")).contains("It keeps to h100 (a) until ").endsWith("; then it may use a100 (a) too.");
        assertThat(stage.pass(60 * SECOND).decide()).containsExactly("a starts");
    }

    @Test
    void twoSetsThatCanRunOnlyTogetherOnLaterFlavorsDoNotWaitForEver() {
        Stage stage = Stage.of(TWO, List.of("q quota=h100:8000,a100:8000 borrows=h100:0,a100:0"))
                .fallback(Lane.GREEN, -1)
                .submit("a gpus=8 flavors=h100,a100 fallback=lane lane=green queue=q + b gpus=8 flavors=h100,a100");
        assertThat(stage.decide()).containsExactly("a starts");
    }
}
