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

    @Test
    void setsThatNeedOneFlavorLeaveTheOthersToOthers() {
        Scenario.of("one large pod and four small ones start at once, whatever flavors there are")
                .fleet(
                        "h1 gpus=8 flavor=h100 nics=8", "a1 gpus=8 flavor=a100 nics=8",
                        "l1 gpus=8 flavor=l40s", "t1 gpus=4 flavor=t4")
                .submit("job gpus=8 rdma=8" + FOUR_MORE)
                .expect("job starts");
        Scenario.of("the only flavor for the last set is full of it")
                .fleet("h1 gpus=8 flavor=h100", "a1 gpus=4 flavor=a100", "t1 gpus=16 flavor=t4")
                .submit("job gpus=1" + more(14, s -> "gpus=1") + " + last gpus=8 flavors=h100")
                .expect("job starts");
    }

    @Test
    void flavorsThatAreFullOrWithoutQuotaTakeNoOthersPlace() {
        for (int sets : new int[] {5, 9, 16}) {
            String more = more(sets - 1, s -> "gpus=1");
            for (String full : List.of("a10", "b10", "c10", "d10")) {
                String[] fleet = Stream.of("a10", "b10", "c10", "d10")
                        .map(f -> f + " gpus=16 flavor=" + f + (f.equals(full) ? " used=16" : ""))
                        .toArray(String[]::new);
                Scenario.of(full + " is busy")
                        .fleet(fleet)
                        .submit("job gpus=1" + more)
                        .expect("job starts");
                String[] idle = Stream.of(fleet)
                        .map(line -> line.replace(" used=16", ""))
                        .toArray(String[]::new);
                Scenario.of("the queue has no quota of " + full)
                        .fleet(idle)
                        .queues("q quota=" + full + ":0 borrows=" + full + ":0")
                        .submit("job gpus=1 queue=q" + more)
                        .expect("job starts");
                Scenario.of("the queue has quota of nothing but " + full)
                        .fleet(idle)
                        .queues(onlyQuotaOf(full, sets))
                        .submit("job gpus=1 queue=q" + more)
                        .expect("job starts");
            }
        }
    }

    private static String onlyQuotaOf(String flavor, int gpus) {
        String zero = Stream.of("a10", "b10", "c10", "d10")
                .map(f -> f + (f.equals(flavor) ? ":" + gpus + "000" : ":0"))
                .collect(Collectors.joining(","));
        return "q quota=" + zero + " borrows=" + zero.replaceAll(":\\d+", ":0");
    }

    @Test
    void setsAreDividedWhereNoFlavorHoldsAll() {
        String[] fleet = {
            "a1 gpus=5 flavor=a", "b1 gpus=5 flavor=b", "c1 gpus=4 flavor=c", "d1 gpus=2 flavor=d",
        };
        Scenario.of("all that is free is taken")
                .fleet(fleet)
                .submit("job gpus=1" + more(15, s -> "gpus=1"))
                .expect("job starts");
        Scenario.of("and no more than the quota of each flavor")
                .fleet("a1 gpus=32 flavor=a", "b1 gpus=32 flavor=b", "c1 gpus=32 flavor=c", "d1 gpus=32 flavor=d")
                .queues("q quota=a:5000,b:5000,c:4000,d:2000 borrows=a:0,b:0,c:0,d:0")
                .submit("job gpus=1 queue=q" + more(15, s -> "gpus=1"))
                .expect("job starts");
        Scenario.of("one GPU is too little")
                .fleet(fleet)
                .submit("job gpus=1" + more(15, s -> "gpus=1"), "busy gpus=1 priority=1")
                .expect("busy starts", "job waits WAITING_FOR_CAPACITY gpuMilli 16000 of 15000");
        Scenario.of("too little of the quotas")
                .fleet("a1 gpus=32 flavor=a", "b1 gpus=32 flavor=b", "c1 gpus=32 flavor=c", "d1 gpus=32 flavor=d")
                .queues("q quota=a:5000,b:5000,c:4000,d:2000 borrows=a:0,b:0,c:0,d:0 used=d:1000")
                .submit("job gpus=1 queue=q" + more(15, s -> "gpus=1"))
                .expect("job waits WAITING_FOR_QUOTA");
    }

    @Test
    void whatIsWishedForLastIsTriedToo() {
        Scenario.of("all nine sets wish for a first, where nothing is free")
                .fleet("a1 gpus=9 flavor=a used=9", "b1 gpus=9 flavor=b")
                .submit("job gpus=1 flavors=a,b" + more(8, s -> "gpus=1 flavors=a,b"))
                .expect("job -> b1" + " b1".repeat(8));
        Scenario.of("CPU-only sets go to nodes with GPUs where others are full")
                .fleet(
                        "c1 cpu=1000 cpuUsed=1000",
                        "a1 gpus=8 flavor=a",
                        "b1 gpus=8 flavor=b",
                        "d1 gpus=8 flavor=d",
                        "e1 gpus=8 flavor=e")
                .submit("job cpu=1000" + more(8, s -> s < 4 ? "gpus=1" : "cpu=1000"))
                .expect("job starts");
        Scenario.of("the wish is followed where it can be")
                .fleet("a1 gpus=9 flavor=a", "b1 gpus=9 flavor=b")
                .submit("job gpus=1 flavors=b,a" + more(8, s -> "gpus=1 flavors=b,a"))
                .expect("job -> b1" + " b1".repeat(8));
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
