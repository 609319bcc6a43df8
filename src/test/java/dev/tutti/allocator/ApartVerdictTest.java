package dev.tutti.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.model.life.Reason;
import dev.tutti.testkit.scenario.TestFleet;
import dev.tutti.testkit.scenario.TestJobs;
import dev.tutti.testkit.scenario.TestNode;
import dev.tutti.testkit.scenario.TestQueues;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Sets that must be apart and find too few domains are told so, in numbers. */
class ApartVerdictTest {

    private static final String JOB =
            "a gpus=1 required=cluster + b gpus=1 apart=a@zone + c gpus=1 apart=a@zone,b@zone";

    @Test
    void threeSetsApartNeedThreeZonesOnWhateverFlavors() {
        String needed =
                "EXCEEDS_LIMIT domains 3 of 2: Pod sets a, b, c must be in different zones: 3 zones needed, 2 there"
                        + " that could ever hold any of them.";
        assertThat(verdict(nodes(4, n -> " zone=z" + n % 2), JOB)).isEqualTo(needed);
        assertThat(verdict(nodes(64, n -> " zone=z" + n % 2 + " flavor=f" + n / 2 % 2), JOB))
                .isEqualTo(needed);
        assertThat(verdict(nodes(90, n -> " zone=z" + n % 2 + " flavor=f" + n / 2 % 9), JOB))
                .as("more choices of flavors than are looked at")
                .isEqualTo(needed);
    }

    @Test
    void withoutAskingTheyGetOneZoneOnly() {
        assertThat(verdict(nodes(6, n -> " zone=z" + n % 3), JOB.replace(" required=cluster", "")))
                .isEqualTo(
                        "EXCEEDS_LIMIT domains 3 of 1: Pod sets a, b, c must be in different zones within one zone: 3"
                                + " zones needed, 1 there. A job that may cross it says so with topology.required: cluster.");
    }

    @Test
    void setsThatShareADomainCountAsOne() {
        String job =
                "a gpus=1 required=cluster + b gpus=1 together=a@zone + c gpus=1 apart=b@zone + d gpus=1 apart=a@zone,c@zone";
        assertThat(verdict(nodes(64, n -> " zone=z" + n % 2 + " flavor=f" + n / 2 % 2), job))
                .startsWith("EXCEEDS_LIMIT domains 3 of 2: Pod sets a with b, c, d must be in different zones: ");
        assertThat(waits(nodes(64, n -> " zone=z" + n % 3 + " flavor=f" + n / 3 % 2), job))
                .isEmpty();
    }

    /** Three zones, but two sets have but one to go to. */
    @Test
    void onlyDomainsThatHoldTheirPodsCount() {
        List<String> fleet =
                nodes(60, n -> " zone=z" + n % 3 + " flavor=f" + n / 3 % 2 + (n % 3 == 0 ? " labels=p:x" : ""));
        assertThat(verdict(
                        fleet,
                        "a gpus=1 required=cluster + b gpus=1 apart=a@zone select=p:x + c gpus=1 apart=a@zone,b@zone"
                                + " select=p:x"))
                .startsWith("EXCEEDS_LIMIT domains 2 of 1: Pod sets b, c must be in different zones: ");
    }

    /** A set that is too large for one rack needs two of them. */
    @Test
    void aSetMayNeedSeveral() {
        assertThat(
                        verdict(
                                nodes(16, n -> " rack=r" + n / 4 + " flavor=f" + n % 2),
                                "a gpus=8 pods=4 required=cluster + b gpus=8 pods=4 apart=a@rack + c gpus=1 apart=a@rack,b@rack"))
                .startsWith(
                        "EXCEEDS_LIMIT domains 5 of 4: Pod sets a, b, c must be in different racks: 5 racks needed, 4");
    }

    @Test
    void whatIsFullNowIsNoneForNow() {
        assertThat(verdict(
                        nodes(60, n -> " zone=z" + n % 3 + " flavor=f" + n / 3 % 2 + (n % 3 == 0 ? " used=8" : "")),
                        JOB))
                .isEqualTo(
                        "TOPOLOGY domains 3 of 2: Pod sets a, b, c must be in different zones: 3 zones needed, 2 there"
                                + " with room for any of them now.");
    }

    /** Few orders of the sets, of which some lead to each other in turn, are no reason to stop before all was tried. */
    @Test
    void ofSetsThatContradictThemselvesASmallFleetIsSearchedWhole() {
        List<String> fleet = List.of(
                "n0 block=b1 rack=r1 gpus=1 flavor=a cpu=3",
                "n1 block=b0 rack=r0 gpus=1 flavor=a cpu=2",
                "n2 block=b1 rack=r0 gpus=3 flavor=b cpu=2",
                "n3 block=b1 rack=r0 gpus=2 flavor=a cpu=5",
                "n4 block=b0 rack=r0 gpus=2 flavor=b cpu=4");
        String job = "a share=700 cpu=1 preferred=block own=rack ownPreferred=hostname apart=b@rack"
                + " + b pods=2 min=1 share=250 together=a@rack + c pods=2 own=hostname";
        assertThat(verdict(fleet, job))
                .isEqualTo("EXCEEDS_LIMIT null 0 of 0: No place of this fleet could ever hold its pod sets together and"
                        + " apart as their affinity asks.");
    }

    private static String verdict(List<String> fleet, String job) {
        Reason reason = waits(fleet, job).get(0);
        return reason.code() + " " + reason.resource() + " " + reason.wanted() + " of " + reason.available() + ": "
                + reason.detail();
    }

    private static List<Reason> waits(List<String> fleet, String job) {
        TestQueues queues = new TestQueues();
        Snapshot snapshot = TestFleet.snapshot(fleet.stream().map(TestNode::of).toList(), queues.shares());
        Plan plan = new GangAllocator().decide(snapshot, List.of(TestJobs.of(job, 0, queues)), TestJobs.NOW_MICROS);
        return plan.waits().stream().map(Plan.Wait::reason).toList();
    }

    private static List<String> nodes(int count, IntFunction<String> more) {
        return IntStream.range(0, count)
                .mapToObj(n -> "n" + n + " gpus=8" + more.apply(n))
                .toList();
    }
}
