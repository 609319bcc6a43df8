package dev.tutti.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.model.life.Reason;
import dev.tutti.testkit.scenario.TestFleet;
import dev.tutti.testkit.scenario.TestJobs;
import dev.tutti.testkit.scenario.TestNode;
import dev.tutti.testkit.scenario.TestQueues;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The sentence of a reason names what is short, and its number is of what the sentence speaks of. */
class VerdictScenariosTest {

    @Test
    void theNumberOfAFlavorIsOfTheWholeFlavor() {
        List<String> twoZones = List.of("n1 zone=a gpus=4", "n2 zone=b gpus=4");
        String flavor =
                "It is larger than all that one flavor of this fleet could ever hold, and all pods of a set run on"
                        + " one flavor: ";
        assertThat(verdict(twoZones, "a gpus=1 pods=9")).isEqualTo(flavor + "9 GPUs needed, room for 8 GPUs.");
        assertThat(verdict(twoZones, "a gpus=1 pods=9 required=hostname"))
                .isEqualTo(flavor + "9 GPUs needed, room for 8 GPUs.");
        assertThat(verdict(twoZones, "a gpus=1 pods=8"))
                .isEqualTo(
                        "It is larger than all that one flavor of one zone could ever hold, and all pods of a set run on"
                                + " one flavor: 8 GPUs needed, room for 4 GPUs. A job that may cross it says so with"
                                + " topology.required: cluster.");
        assertThat(verdict(
                        List.of("n1 zone=a gpus=4 mig=a100-40gb", "n2 zone=b gpus=4 mig=a100-40gb"),
                        "a mig=3g.20gb pods=17"))
                .isEqualTo(flavor + "17 MIG instances of 3g.20gb needed, room for 16 MIG instances.");
        assertThat(verdict(List.of("n1 zone=a gpus=4 nics=2", "n2 zone=b gpus=4 nics=1"), "a gpus=1 rdma=1 pods=4"))
                .isEqualTo(flavor + "4 RDMA NICs needed, room for 3 RDMA NICs.");
    }

    @Test
    void noJobRunsInTwoClusters() {
        assertThat(verdict(List.of("n1 cluster=a gpus=4", "n2 cluster=b gpus=4"), "a gpus=1 pods=8"))
                .isEqualTo(
                        "It is larger than all that one flavor of one cluster could ever hold, and all pods of a set run"
                                + " on one flavor: 8 GPUs needed, room for 4 GPUs.");
    }

    @Test
    void setsOfOneJobMayBeOnDifferentFlavors() {
        assertThat(verdict(List.of("n1 gpus=4 flavor=a", "n2 gpus=4 flavor=b"), "x gpus=1 pods=4 + y gpus=1 pods=5"))
                .startsWith(
                        "It is larger than all that this fleet could ever hold, with all pods of each set on one flavor:"
                                + " 9 GPUs needed, room for ");
    }

    @Test
    void whatANodeSelectorExcludesDoesNotCount() {
        assertThat(verdict(List.of("n1 gpus=4 labels=p:x", "n2 gpus=4"), "a gpus=1 pods=8 select=p:x"))
                .isEqualTo(
                        "It is larger than all that one flavor of this fleet could ever hold on nodes that it may use, and"
                                + " all pods of a set run on one flavor: 8 GPUs needed, room for 4 GPUs.");
    }

    @Test
    void whatLimitsAGangIsNamed() {
        assertThat(reason(List.of("n1 gpus=8 nics=4", "n2 gpus=8 nics=4"), "a gpus=1 rdma=1 pods=9")
                        .resource())
                .isEqualTo("rdma");
        assertThat(reason(List.of("n1 gpus=8 cpu=4000", "n2 gpus=8 cpu=4000"), "a gpus=1 cpu=1000 pods=9")
                        .resource())
                .isEqualTo("cpuMilli");
        assertThat(reason(List.of("n1 gpus=8 memory=4", "n2 gpus=8 memory=4"), "a gpus=1 memory=1 pods=9")
                        .resource())
                .isEqualTo("memoryMib");
        assertThat(reason(List.of("n1 gpus=8 slots=4", "n2 gpus=8 slots=4"), "a gpus=1 pods=9")
                        .resource())
                .isEqualTo("pods");
        assertThat(reason(List.of("n1 gpus=8 nics=8", "n2 gpus=8 nics=8"), "a gpus=1 rdma=1 pods=17")
                        .resource())
                .isEqualTo("gpuMilli");
        assertThat(verdict(
                        List.of("n1 rack=a gpus=8 nics=4", "n2 rack=b gpus=8 nics=4"),
                        "a gpus=1 rdma=hca:1 pods=5 required=rack"))
                .isEqualTo("It would fit into this fleet if it were empty, but never as near together as its topology"
                        + " requires: 5 RDMA NICs of rdma/hca needed, room for 4 RDMA NICs.");
        assertThat(verdict(
                        List.of("n1 rack=a gpus=8 nics=8 nicsUsed=4", "n2 rack=b gpus=8 nics=8 nicsUsed=4"),
                        "a gpus=1 rdma=1 pods=5 required=rack"))
                .isEqualTo(
                        "It fits, but not within one domain of the topology level it requires: 5 RDMA NICs needed, room"
                                + " for 4 RDMA NICs.");
        assertThat(verdict(List.of("n1 gpus=8 cpu=2000", "n2 gpus=8 used=8 cpu=6000"), "a gpus=1 cpu=1000 pods=3"))
                .isEqualTo(
                        "Enough is free, but no set of nodes has it in the pieces this job needs: 3 GPUs needed, 8 GPUs"
                                + " there.");
    }

    @Test
    void whatANodeHasTooLittleElseForDoesNotCountForOnePod() {
        List<String> fleet = List.of("n1 gpus=1 cpu=64000 memory=9 nics=8", "n2 gpus=8 cpu=8000 memory=5 nics=2");
        String claim = "One pod of a is larger than every node it may use: ";
        assertThat(verdict(fleet, "a gpus=8 cpu=16000"))
                .isEqualTo(claim + "16 CPUs needed, 8 CPUs beside enough GPUs there.");
        assertThat(verdict(fleet, "a gpus=8 cpu=1000 memory=6"))
                .isEqualTo(claim + "6 MiB of memory needed, 5 MiB of memory beside enough GPUs and CPUs there.");
        assertThat(verdict(fleet, "a gpus=1 cpu=1000 rdma=9"))
                .isEqualTo(claim + "9 RDMA NICs of one resource needed, 8 RDMA NICs there.");
        assertThat(verdict(fleet, "a gpus=8 rdma=3"))
                .isEqualTo(claim + "3 RDMA NICs of one resource needed, 2 RDMA NICs beside enough GPUs there.");
        assertThat(verdict(List.of("n1 gpus=1 mig=a100-40gb slots=0"), "a mig=3g.20gb"))
                .isEqualTo(claim + "1 pod needed, 0 pods there.");
    }

    @Test
    void instancesAreCountedWherePositionsRunOut() {
        List<String> fleet = List.of("n1 gpus=8 mig=a100-40gb");
        assertThat(verdict(fleet, "a mig=1g.5gb pods=57"))
                .endsWith(": 57 MIG instances of 1g.5gb needed, room for 56 MIG instances.");
        assertThat(verdict(List.of("n1 gpus=1 mig=a100-40gb cut=1g.5gb@0/1g.5gb@4"), "a mig=3g.20gb"))
                .endsWith(": 1 MIG instance of 3g.20gb needed, room for 0 MIG instances.");
        assertThat(verdict(fleet, "a mig=3g.20gb pods=9 + b mig=4g.20gb pods=8"))
                .contains(": 17 MIG instances of 3g.20gb and 4g.20gb needed, room for ");
    }

    @Test
    void whatIsNotThereIsNamedAndSoIsWhatThereIs() {
        List<String> fleet =
                List.of("n1 gpus=1 nics=1,roce:1 flavor=h100 mig=h100-80gb", "n2 gpus=1 flavor=l40s", "n3 flavor=cpu");
        assertThat(verdict(fleet, "a gpus=1 rdma=ib:1"))
                .isEqualTo("No node has RDMA NICs of rdma/ib; there are rdma/hca, rdma/roce.");
        assertThat(verdict(List.of("n1 gpus=1"), "a gpus=1 rdma=ib:1")).isEqualTo("No node has RDMA NICs of rdma/ib.");
        assertThat(verdict(List.of("n1 gpus=1"), "a gpus=1 rdma=1")).isEqualTo("No node has RDMA NICs.");
        assertThat(verdict(fleet, "a gpus=1 rdma=hca:2"))
                .isEqualTo(
                        "One pod of a is larger than every node it may use: 2 RDMA NICs of rdma/hca needed, 1 RDMA NIC"
                                + " there.");
        assertThat(verdict(fleet, "a gpus=1 rdma=2"))
                .isEqualTo(
                        "One pod of a is larger than every node it may use: 2 RDMA NICs of one resource needed, 1 RDMA NIC"
                                + " there.");
        assertThat(verdict(fleet, "a gpus=1 + b gpus=1 flavors=b200,gb300"))
                .isEqualTo("Pod set b: no node is of flavor b200, gb300; there are cpu, h100, l40s.");
        assertThat(verdict(fleet, "a gpus=1 flavors=b200,cpu"))
                .isEqualTo(
                        "Pod set a: no node of flavor cpu has GPUs; those with GPUs are h100, l40s; no node is of flavor"
                                + " b200.");
        assertThat(verdict(fleet, "a mig=3g.40gb flavors=l40s"))
                .isEqualTo("Pod set a: no GPU of flavor l40s can be cut into MIG 3g.40gb; those that can are h100.");
        assertThat(verdict(fleet, "a mig=3g.20gb"))
                .isEqualTo(
                        "Pod set a: no GPU can be cut into MIG 3g.20gb; profiles there are: 1g.10gb, 1g.20gb, 2g.20gb,"
                                + " 3g.40gb, 4g.40gb, 7g.80gb.");
        assertThat(verdict(List.of("n1"), "a gpus=1")).isEqualTo("Pod set a: no node has GPUs.");
        assertThat(verdict(List.of(), "a")).isEqualTo("Pod set a: there are no nodes.");
        assertThat(verdict(fleet, "a gpus=1 required=row"))
                .isEqualTo("Its topology wish names a level that is not configured: row; there are cluster, hostname.");
    }

    @Test
    void longListsAreCut() {
        List<String> fleet = IntStream.range(10, 25)
                .mapToObj(i -> "n" + i + " gpus=1 flavor=f" + i)
                .toList();
        assertThat(verdict(fleet, "a gpus=1 flavors=x"))
                .isEqualTo(
                        "Pod set a: no node is of flavor x; there are f10, f11, f12, f13, f14, f15, f16, f17, f18, f19 and"
                                + " 5 more.");
    }

    @Test
    void oneIsNotMany() {
        List<String> fleet = List.of("n1 gpus=1 used=1 cpu=1000 nics=1 nicsUsed=1");
        assertThat(verdict(fleet, "a rdma=1"))
                .isEqualTo("Less is free than it needs: 1 RDMA NIC needed, 0 RDMA NICs there.");
        assertThat(verdict(fleet, "a gpus=1")).isEqualTo("Less is free than it needs: 1 GPU needed, 0 GPUs there.");
        assertThat(verdict(fleet, "a cpu=2000"))
                .endsWith("is larger than every node it may use: 2 CPUs needed, 1 CPU there.");
        assertThat(verdict(List.of("n1 slots=0"), "a")).endsWith(": 1 pod needed, 0 pods there.");
        assertThat(verdict(List.of("n1 gpus=1 used=1"), "a share=500"))
                .isEqualTo("Less is free than it needs: 0.5 GPUs needed, 0 GPUs there.");
    }

    @Test
    void flavorsWithoutQuotaDoNotCountAsRoom() {
        TestQueues queues = new TestQueues();
        queues.add("q quota=a:0,b:8000");
        Reason reason = reason(
                List.of(
                        "n1 zone=x gpus=8 flavor=a used=1",
                        "n2 zone=y gpus=8 flavor=b used=4",
                        "n3 zone=z gpus=8 flavor=b used=4"),
                "j gpus=1 pods=8 queue=q",
                queues);
        assertThat(reason.code().name() + " " + reason.wanted() + " of " + reason.available())
                .isEqualTo("TOPOLOGY 8000 of 4000");
    }

    private static String verdict(List<String> fleet, String job) {
        return reason(fleet, job).detail();
    }

    private static Reason reason(List<String> fleet, String job) {
        return reason(fleet, job, new TestQueues());
    }

    private static Reason reason(List<String> fleet, String job, TestQueues queues) {
        Snapshot snapshot = TestFleet.snapshot(fleet.stream().map(TestNode::of).toList(), queues.shares());
        Plan plan = new GangAllocator()
                .decide(snapshot, Stream.of(TestJobs.of(job, 0, queues)).toList(), TestJobs.NOW_MICROS);
        return plan.waits().get(0).reason();
    }
}
