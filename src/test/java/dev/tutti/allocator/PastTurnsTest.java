package dev.tutti.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.testkit.scenario.AllocatorStage;
import dev.tutti.testkit.scenario.Scenario;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What queues held lately counts for their turns, and for nothing else. */
class PastTurnsTest {

    private static final long MINUTE = 60_000_000;

    @Test
    void theExampleOfTheManual() {
        Scenario.of("a holds 2 of 16 and held 6 on average, b holds 4 and held none: 8/16 against 4/16")
                .fleet("n1 gpus=8 used=6", "n2 gpus=8 used=8")
                .queues("owner quota=gpu:16000", "a used=gpu:2000 past=375000", "b used=gpu:4000")
                .submit("a1 gpus=1 queue=a", "b1 gpus=1 queue=b", "b2 gpus=1 queue=b")
                .expect("a1 waits", "b1 -> n1", "b2 -> n1");
        Scenario.of("weight 4 makes that 2/16")
                .fleet("n1 gpus=8 used=6", "n2 gpus=8 used=8")
                .queues("owner quota=gpu:16000", "a used=gpu:2000 past=375000 weight=4", "b used=gpu:4000")
                .submit("b1 gpus=1 queue=b", "b2 gpus=1 queue=b", "a1 gpus=2 queue=a")
                .expect("a1 -> n1", "b1 waits", "b2 waits");
    }

    @Test
    void thePromiseHasNoPast() {
        Scenario.of("the owner held far too much for long, and gets back what it was promised before anybody borrows")
                .fleet("n1 gpus=8 used=6")
                .queues("a quota=gpu:4000 used=gpu:2000 past=900000", "b quota=gpu:4000 used=gpu:4000")
                .submit("b1 gpus=2 queue=b", "a1 gpus=2 queue=a")
                .expect("a1 -> n1", "b1 waits");
        Scenario.of("with all it was promised it is a borrower like others, one with a past")
                .fleet("n1 gpus=8 used=6")
                .queues(
                        "lender quota=gpu:2000",
                        "a quota=gpu:3000 used=gpu:3000 past=900000",
                        "b quota=gpu:3000 used=gpu:3000")
                .submit("a1 gpus=2 queue=a", "b1 gpus=2 queue=b")
                .expect("a1 waits", "b1 -> n1");
    }

    @Test
    void greenJobsHaveNoPastAndRedJobsHaveTheirOwn() {
        Scenario.of("green: within the promise, so the older one")
                .fleet("n1 gpus=8 used=6")
                .queues("a quota=gpu:4000 used=gpu:3000 past=900000", "b quota=gpu:4000 used=gpu:3000")
                .submit("a1 gpus=1 queue=a lane=green", "b1 gpus=1 queue=b lane=green")
                .expect("a1 -> n1", "b1 -> n1");
        Scenario.of("red: who had the idle GPUs until now")
                .fleet("n1 gpus=2")
                .queues("a redpast=1000000", "b past=1000000")
                .submit("a1 gpus=2 queue=a lane=red", "b1 gpus=2 queue=b lane=red")
                .expect("a1 waits", "b1 -> n1");
    }

    @Test
    void aDepartmentHasAPastOfItsOwn() {
        Scenario.of("the teams are alike, their departments are not")
                .fleet("n1 gpus=2")
                .queues("x past=500000", "x/one", "y", "y/one")
                .submit("x1 gpus=2 queue=x/one", "y1 gpus=2 queue=y/one")
                .expect("x1 waits", "y1 -> n1");
    }

    @Test
    void aPastThatChangesAloneTurnsTheOrder() {
        AllocatorStage stage = AllocatorStage.of(List.of("n1 gpus=1"), List.of("a", "b"))
                .running("first gpus=1 queue=a")
                .submit("a1 gpus=1 queue=a", "b1 gpus=1 queue=b", "a2 gpus=1 queue=a", "b2 gpus=1 queue=b");
        stage.past("b", 200_000).settle();
        stage.past("a", 600_000).past("b", 100_000).settle();
        stage.end("first").settle();
        assertThat(stage.runningNow()).containsExactly("b1");
        stage.past("a", 0).past("b", 600_000).settle();
        stage.end("b1").settle();
        assertThat(stage.runningNow()).containsExactly("a1");
    }

    @Test
    void nobodyIsAskedToLeaveForThePast() {
        AllocatorStage stage = AllocatorStage.of(List.of("n1 gpus=8"), List.of("owner quota=gpu:8000", "a", "b"))
                .running("a1 gpus=4 queue=a", "a2 gpus=4 queue=a")
                .submit("b1 gpus=4 queue=b", "b2 gpus=4 queue=b", "r gpus=1 queue=b lane=red");
        Random random = new Random(1);
        for (int round = 0; round < 50; round++) {
            stage.past("a", random.nextInt(1_000_000)).past("b", random.nextInt(1_000_000));
            stage.pass(MINUTE).settle();
        }
        assertThat(stage.evictions()).isEmpty();
        assertThat(stage.runningNow()).isEqualTo(Set.of("a1", "a2"));
    }

    /** Each decision is compared with one made from nothing; whoever leaves comes back at once. */
    @Test
    void decidesAsTheOneThatForgetsWhateverThePastBecomes() {
        int started = 0;
        int asked = 0;
        for (int seed = 0; seed < 60; seed++) {
            Random random = new Random(seed);
            AllocatorStage stage = AllocatorStage.of(
                    List.of("n1 gpus=4", "n2 gpus=4"),
                    List.of(
                            "a quota=gpu:3000 weight=2",
                            "b quota=gpu:3000" + (random.nextBoolean() ? " strict" : ""),
                            "c quota=gpu:2000",
                            "d"));
            List<String> jobs = new ArrayList<>();
            for (int step = 0; step < 25; step++) {
                String queue = List.of("a", "b", "c", "d").get(random.nextInt(4));
                switch (random.nextInt(5)) {
                    case 0, 1 -> {
                        String name = "j" + jobs.size();
                        jobs.add(name);
                        stage.submit(name + " gpus=" + (1 + random.nextInt(4)) + " queue=" + queue
                                + (random.nextInt(3) == 0 ? " lane=red" : "")
                                + (random.nextInt(3) == 0 ? " maxRun=600" : "")
                                + " priority=" + random.nextInt(2));
                    }
                    case 2 -> {
                        List<String> running = List.copyOf(stage.runningNow());
                        if (!running.isEmpty()) {
                            stage.end(running.get(random.nextInt(running.size())));
                        }
                    }
                    default -> stage.past(queue, random.nextInt(4) * 250_000L);
                }
                stage.pass(MINUTE);
                List<String> told = stage.decide();
                started += (int)
                        told.stream().filter(line -> line.endsWith(" starts")).count();
                if (random.nextInt(3) == 0) {
                    stage.leave();
                }
            }
            asked += stage.evictions().size();
        }
        assertThat(started).isGreaterThan(200);
        assertThat(asked).isGreaterThan(50);
    }
}
