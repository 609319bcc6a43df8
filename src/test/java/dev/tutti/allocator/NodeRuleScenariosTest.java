package dev.tutti.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.testkit.scenario.Scenario;
import dev.tutti.testkit.scenario.TestFleet;
import dev.tutti.testkit.scenario.TestJobs;
import dev.tutti.testkit.scenario.TestNode;
import dev.tutti.testkit.scenario.TestQueues;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Node selectors, taints and tolerations. */
class NodeRuleScenariosTest {

    @Test
    void podsGoOnlyToNodesTheySelect() {
        Scenario.of("the fuller node is not selected")
                .fleet("n1 gpus=8 used=4", "n2 gpus=8 labels=pool:a", "n3 gpus=8 labels=pool:b")
                .submit("a gpus=4 select=pool:a", "b gpus=8 select=pool:b", "any gpus=4")
                .expect("a -> n2", "b -> n3", "any -> n1");
    }

    @Test
    void allLabelsOfASelectorMustBeThere() {
        Scenario.of("one of two labels is not enough")
                .fleet("n1 gpus=2 labels=pool:a", "n2 gpus=2 labels=disk:ssd", "n3 gpus=2 labels=pool:a,disk:ssd")
                .submit("both gpus=1 select=pool:a,disk:ssd")
                .expect("both -> n3");
    }

    @Test
    void taintsKeepOutWhoDoesNotTolerateThem() {
        Scenario.of("only the second job may use the tainted node")
                .fleet("n1 gpus=8 taints=dedicated:training", "n2 gpus=1")
                .submit("other gpus=2", "small gpus=1", "training gpus=2 tolerate=dedicated:training")
                .expect("other waits EXCEEDS_LIMIT gpuMilli 2000 of 1000", "small -> n2", "training -> n1");
    }

    @ParameterizedTest
    @CsvSource({
        "a:1, a:1, true",
        "a:1, a:2, false",
        "a:1, a, true",
        "a:1, *, true",
        "a:1, b, false",
        "a:1:NoExecute, a:1, true",
        "a:1:NoExecute, a:1:NoSchedule, false",
        "a:1:PreferNoSchedule, b, true",
        "nvidia.com/gpu:present, b, true",
        "'a:1,b:2', a:1, false",
        "'a:1,b:2', 'a:1,b', true",
    })
    void tolerationsAreKubernetesOwn(String taints, String tolerations, boolean starts) {
        Scenario.of("a node with " + taints + " for pods that tolerate " + tolerations)
                .fleet("n1 gpus=1 taints=" + taints)
                .submit("job gpus=1 tolerate=" + tolerations)
                .expect(starts ? "job -> n1" : "job waits NO_MATCHING_FLAVOR");
    }

    @Test
    void everySetOfAGangHasRulesOfItsOwn() {
        Scenario.of("the servers stand beside the workers")
                .fleet(
                        "n1 rack=r1 gpus=4 taints=gpus:only cpu=64",
                        "n2 rack=r1 gpus=0 cpu=64 labels=role:server",
                        "n3 rack=r1 gpus=0 cpu=64",
                        "n4 rack=r2 gpus=4 cpu=64")
                .submit("train gpus=2 pods=2 tolerate=gpus required=rack + ps pods=2 cpu=8 select=role:server")
                .expect("train -> n1 n1 n2 n2");
    }

    @Test
    void aGangIsHeldByEligibleNodesOnly() {
        Scenario.of("the smaller rack has too few nodes of the pool")
                .fleet(
                        "n1 rack=r1 gpus=2 labels=pool:a",
                        "n2 rack=r1 gpus=2",
                        "n3 rack=r2 gpus=2 labels=pool:a",
                        "n4 rack=r2 gpus=2 labels=pool:a",
                        "n5 rack=r2 gpus=2")
                .submit("gang gpus=2 pods=2 required=rack select=pool:a")
                .expect("gang -> n3 n4");
    }

    @Test
    void amountsAreOfEligibleNodes() {
        Scenario.of("much is free elsewhere")
                .fleet(
                        "n1 gpus=4 used=3 labels=pool:a",
                        "n2 gpus=4 used=3 labels=pool:a",
                        "n3 gpus=8",
                        "n4 gpus=8 labels=pool:b")
                .submit(
                        "short gpus=3 select=pool:a",
                        "pieces gpus=2 select=pool:a",
                        "large gpus=5 select=pool:a",
                        "gang gpus=4 pods=3 select=pool:a",
                        "two gpus=4 pods=2 select=pool:a + more gpus=8 select=pool:b",
                        "nowhere gpus=1 select=pool:c",
                        "elsewhere gpus=1 flavors=gpu select=pool:a,disk:ssd")
                .expect(
                        "short waits WAITING_FOR_CAPACITY gpuMilli 3000 of 2000",
                        "pieces waits FRAGMENTED gpuMilli 2000 of 2000",
                        "large waits EXCEEDS_LIMIT gpuMilli 5000 of 4000",
                        "gang waits EXCEEDS_LIMIT gpuMilli 12000 of 8000",
                        "two waits WAITING_FOR_CAPACITY gpuMilli 8000 of 2000",
                        "nowhere waits NO_MATCHING_FLAVOR",
                        "elsewhere waits NO_MATCHING_FLAVOR");
    }

    @Test
    void aFlavorWithoutAnEligibleNodeIsPassedOver() {
        Scenario.of("the second wish has nodes of the pool")
                .fleet("n1 gpus=2 flavor=a", "n2 gpus=2 flavor=b labels=pool:x")
                .submit("job gpus=1 flavors=a,b select=pool:x")
                .expect("job -> n2");
    }

    @Test
    void theReasonNamesTheLabelThatNoNodeHas() {
        List<String> fleet = List.of(
                "n1 gpus=1 labels=pool:b,disk:ssd", "n2 gpus=1 labels=pool:a flavor=x", "n3 labels=pool:cpu,arch:arm");
        assertThat(sentence(fleet, "job gpus=1 select=pool:z"))
                .isEqualTo("Pod set job: no node with GPUs has the label pool=z; values of pool there are: a, b.");
        assertThat(sentence(fleet, "job select=pool:z"))
                .isEqualTo("Pod set job: no node has the label pool=z; values of pool there are: a, b, cpu.");
        assertThat(sentence(fleet, "job gpus=1 select=pool:z flavors=x"))
                .isEqualTo(
                        "Pod set job: no node with GPUs of flavor x has the label pool=z; values of pool there are: a.");
        assertThat(sentence(fleet, "job gpus=1 select=arch:arm"))
                .isEqualTo("Pod set job: no node with GPUs has the label arch.");
        assertThat(sentence(fleet, "job gpus=1 select=pool:a,disk:ssd"))
                .isEqualTo("Pod set job: no node with GPUs has all of the labels disk=ssd, pool=a.");
    }

    @Test
    void theReasonNamesTheTaintsThatAreNotTolerated() {
        List<String> fleet = List.of(
                "n1 gpus=1 taints=a,dedicated:training:NoExecute labels=pool:x", "n2 gpus=1 taints=c", "n3 flavor=cpu");
        String claim = "Pod set job: every node that it could use otherwise has a taint that it does not tolerate: ";
        assertThat(sentence(fleet, "job gpus=1 tolerate=b"))
                .isEqualTo(claim + "a:NoSchedule, c:NoSchedule, dedicated=training:NoExecute.");
        assertThat(sentence(fleet, "job gpus=1 tolerate=a select=pool:x"))
                .isEqualTo(claim + "dedicated=training:NoExecute.");
        assertThat(sentence(fleet, "job gpus=1 flavors=b"))
                .isEqualTo("Pod set job: no node is of flavor b; there are cpu, gpu.");
    }

    @Test
    void manyValuesAreCut() {
        List<String> fleet = IntStream.range(10, 25)
                .mapToObj(i -> "n" + i + " gpus=1 labels=pool:p" + i)
                .toList();
        assertThat(sentence(fleet, "job gpus=1 select=pool:x"))
                .endsWith("there are: p10, p11, p12, p13, p14, p15, p16, p17, p18, p19 and 5 more.");
    }

    private static String sentence(List<String> fleet, String line) {
        TestQueues queues = new TestQueues();
        List<TestNode> nodes = fleet.stream().map(TestNode::of).toList();
        WaitingJob job = TestJobs.of(line, 0, queues);
        return new GangAllocator()
                .decide(TestFleet.snapshot(nodes, queues.shares()), List.of(job), TestJobs.NOW_MICROS)
                .waits()
                .get(0)
                .reason()
                .detail();
    }
}
