package dev.tutti.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.model.life.Reason;
import dev.tutti.testkit.scenario.Scenario;
import dev.tutti.testkit.scenario.TestFleet;
import dev.tutti.testkit.scenario.TestJobs;
import dev.tutti.testkit.scenario.TestNode;
import dev.tutti.testkit.scenario.TestQueues;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Jobs of so many pod sets that not every way to give them flavors can be looked at. */
class ManySetsScenariosTest {

    private static final String[] FLEET = {
        "h1 zone=x gpus=8 flavor=h100", "h2 zone=y gpus=8 flavor=h100",
        "a1 zone=x gpus=4 flavor=a100", "a2 zone=y gpus=4 flavor=a100",
        "t1 zone=x gpus=2 flavor=t4", "c1 zone=y cpu=64000"
    };
    private static final String FOUR_MORE = more(4, s -> "gpus=1");

    @Test
    @DisplayName("B13 One pod that no node holds is found out beside any number of other sets")
    void onePodThatNoNodeHolds() {
        assertThat(never("s0 gpus=64" + FOUR_MORE).detail())
                .isEqualTo("One pod of s0 is larger than every node it may use: 64 GPUs needed, 8 GPUs there.");
        assertThat(never("s0 cpu=4096000" + FOUR_MORE).detail())
                .isEqualTo("One pod of s0 is larger than every node it may use: 4096 CPUs needed, 128 CPUs there.");
        assertThat(never("s0 gpus=1" + more(14, s -> "gpus=1") + " + last gpus=5 flavors=a100")
                        .detail())
                .isEqualTo("One pod of last is larger than every node it may use: 5 GPUs needed, 4 GPUs there.");
        Scenario.of("it keeps nobody back")
                .fleet(FLEET)
                .queues("q strict")
                .submit("never queue=q gpus=64" + FOUR_MORE, "small gpus=8 queue=q")
                .expect("never waits EXCEEDS_LIMIT gpuMilli 64000 of 8000", "small starts");
    }

    @Test
    void oneSetThatNoFlavorHolds() {
        assertThat(never("s0 gpus=8 pods=20000 required=cluster" + FOUR_MORE)
                        .code()
                        .name())
                .isEqualTo("EXCEEDS_LIMIT");
        assertThat(never("s0 gpus=8 pods=2" + FOUR_MORE).detail())
                .startsWith("It is larger than all that one zone could ever hold");
        assertThat(never("s0 gpus=4 pods=3 required=zone" + FOUR_MORE).detail())
                .startsWith("It would fit into this fleet if it were empty, but never as near");
        assertThat(reason("s0 gpus=4 pods=3 required=cluster" + FOUR_MORE, "q")).isEmpty();
        assertThat(never("s0 gpus=4 pods=2 required=hostname flavors=a100" + more(4, s -> "flavors=a100"))
                        .code()
                        .name())
                .isEqualTo("EXCEEDS_LIMIT");
    }

    @Test
    void setsThatFitAloneButNotTogether() {
        assertThat(never("s0 gpus=4 flavors=a100 required=cluster" + more(5, s -> "gpus=1 flavors=a100"))
                        .code()
                        .name())
                .isEqualTo("EXCEEDS_LIMIT");
        assertThat(never("s0 gpus=4 required=cluster" + more(6, s -> "gpus=4")).wanted())
                .isEqualTo(28_000);
        assertThat(never("s0 cpu=100000 flavors=h100 required=cluster" + more(5, s -> "cpu=100000 flavors=h100"))
                        .resource())
                .isEqualTo("cpuMilli");
        String apart = more(15, s -> "gpus=4 flavors=a100 apart=s0@hostname");
        long before = System.nanoTime();
        assertThat(never("s0 gpus=4 flavors=a100 required=cluster" + apart).wanted())
                .isEqualTo(64_000);
        assertThat(System.nanoTime() - before).isLessThan(2_000_000_000L);
    }

    @Test
    void quotaThatIsTooLittleForAll() {
        assertThat(reason(
                        "s0 gpus=1 queue=q" + FOUR_MORE,
                        "q quota=h100:1000,a100:1000,t4:1000 borrows=h100:0,a100:0,t4:0"))
                .singleElement()
                .satisfies(reason -> {
                    assertThat(reason.code().name()).isEqualTo("EXCEEDS_LIMIT");
                    assertThat(reason.detail()).contains("quota");
                });
    }

    private static String more(int sets, IntFunction<String> set) {
        return IntStream.rangeClosed(1, sets)
                .mapToObj(s -> " + s" + s + " " + set.apply(s))
                .collect(Collectors.joining());
    }

    private static Reason never(String job) {
        Reason reason = reason(job, "q").get(0);
        assertThat(reason.code().name()).isEqualTo("EXCEEDS_LIMIT");
        return reason;
    }

    /** Why the job could never start; empty when it could. */
    private static List<Reason> reason(String job, String queue) {
        TestQueues queues = new TestQueues();
        queues.add(queue);
        Snapshot snapshot =
                TestFleet.snapshot(Stream.of(FLEET).map(TestNode::of).toList(), queues.shares());
        WaitingJob waiting = TestJobs.of(job, 0, queues);
        return Feasibility.of(snapshot)
                .whyNever(waiting.queue(), waiting.lane(), waiting.podSets(), waiting.topology())
                .stream()
                .toList();
    }
}
