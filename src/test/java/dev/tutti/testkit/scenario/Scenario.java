package dev.tutti.testkit.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.allocator.GangAllocator;
import dev.tutti.allocator.Plan;
import dev.tutti.allocator.Snapshot;
import dev.tutti.allocator.WaitingJob;
import dev.tutti.allocator.fleet.FleetNics;
import dev.tutti.model.JobId;
import dev.tutti.model.life.Reason;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;

/**
 * One decision as a story: a fleet, jobs, what shall become of them. Every expectation also checks {@link Invariants}
 * and that the order in which nodes are listed decides nothing. A failure shows the fleet as a grid.
 */
public final class Scenario {

    private static final int SHUFFLES = 3;

    private final String title;
    private final List<TestNode> nodes = new ArrayList<>();
    private final TestQueues queues = new TestQueues();
    private final Map<JobId, String> names = new LinkedHashMap<>();
    private final List<WaitingJob> jobs = new ArrayList<>();

    private Scenario(String title) {
        this.title = title;
    }

    public static Scenario of(String title) {
        return new Scenario(title);
    }

    /** Adds nodes, see {@link TestNode#of}. */
    public Scenario fleet(String... lines) {
        Arrays.stream(lines).map(TestNode::of).forEach(nodes::add);
        return this;
    }

    /** Adds queues, parents first, see {@link TestQueues#add}. */
    public Scenario queues(String... lines) {
        Arrays.stream(lines).forEach(queues::add);
        return this;
    }

    /** Adds jobs, the oldest first, see {@link TestJobs#of}. */
    public Scenario submit(String... lines) {
        for (String line : lines) {
            WaitingJob job = TestJobs.of(line, jobs.size(), queues);
            jobs.add(job);
            names.put(job.job(), line.trim().split("\\s+")[0]);
        }
        return this;
    }

    /**
     * Decides and compares. {@code train -> n2 n2 n3} names the node of each member in order of rank, {@code n2:1@4} with
     * the device and the first memory unit of a MIG instance, {@code n2:0,1+hca@0+hca@1} on a node with RDMA NICs with the
     * devices and the resource and place of each NIC; {@code train
     * starts} any nodes; {@code train waits FRAGMENTED gpuMilli 16000 of 24000} a reason, with resource, wanted and
     * available where they matter; {@code train waits} that its old verdict still stands.
     */
    public Scenario expect(String... lines) {
        Snapshot snapshot = TestFleet.snapshot(nodes, queues.shares());
        Plan plan = new GangAllocator().decide(snapshot, jobs, TestJobs.NOW_MICROS);
        try {
            Map<String, String> outcomes = outcomes(snapshot, plan);
            assertThat(lines).as(title).allSatisfy(line -> compare(line, outcomes));
            assertThat(Invariants.check(new GangAllocator(), snapshot, jobs)).isEqualTo(plan);
            orderOfNodesIsNothing(outcomes);
        } catch (AssertionError error) {
            throw new AssertionError(
                    title + "\n" + GridPicture.of(snapshot, plan, jobs, names) + error.getMessage(), error);
        }
        return this;
    }

    private void orderOfNodesIsNothing(Map<String, String> outcomes) {
        for (int seed = 1; seed <= SHUFFLES; seed++) {
            List<TestNode> shuffled = new ArrayList<>(nodes);
            Collections.shuffle(shuffled, new Random(seed));
            Snapshot snapshot = TestFleet.snapshot(shuffled, queues.shares());
            Plan plan = new GangAllocator().decide(snapshot, jobs, TestJobs.NOW_MICROS);
            assertThat(outcomes(snapshot, plan))
                    .as("with nodes in another order")
                    .isEqualTo(outcomes);
        }
    }

    private static void compare(String line, Map<String, String> outcomes) {
        String[] words = line.trim().split("\\s+", 2);
        String outcome = outcomes.get(words[0]);
        if (words[1].equals("starts")) {
            assertThat(outcome).as(line).startsWith("->");
        } else if (words[1].equals("waits")) {
            assertThat(outcome).as(line).startsWith("waits");
        } else if (words[1].startsWith("waits ") && words[1].split("\\s+").length == 2) {
            assertThat(outcome + " ").as(line).startsWith(words[1] + " ");
        } else {
            assertThat(outcome).as(line).isEqualTo(words[1]);
        }
    }

    private Map<String, String> outcomes(Snapshot snapshot, Plan plan) {
        Map<String, String> outcomes = new LinkedHashMap<>();
        names.values().forEach(name -> outcomes.put(name, "waits"));
        for (Plan.Placement placement : plan.placements()) {
            StringBuilder text = new StringBuilder("->");
            placement.members().forEach(pod -> text.append(' ').append(node(snapshot, pod)));
            outcomes.put(names.get(placement.job()), text.toString());
        }
        for (Plan.Wait wait : plan.waits()) {
            Reason reason = wait.reason();
            String amounts = reason.resource() == null
                    ? ""
                    : " " + reason.resource() + " " + reason.wanted() + " of " + reason.available();
            outcomes.put(names.get(wait.job()), "waits " + reason.code() + amounts);
        }
        return outcomes;
    }

    private static String node(Snapshot snapshot, Plan.PodPlacement pod) {
        int n = Arrays.binarySearch(snapshot.fleet().nodeId(), pod.node().value());
        String node = snapshot.names().nodes().get(n);
        if (pod.mig() != null) {
            return node + ":" + devices(snapshot, n, pod) + "@" + pod.mig().start();
        }
        FleetNics nics = snapshot.fleet().nics();
        return nics.firstGroup()[n] == nics.firstGroup()[n + 1]
                ? node
                : node + ":" + devices(snapshot, n, pod) + nics(nics, pod);
    }

    private static String devices(Snapshot snapshot, int n, Plan.PodPlacement pod) {
        return pod.devices().stream()
                .map(id -> AppliedPlan.indexOf(snapshot.fleet().deviceId(), id)
                        - snapshot.fleet().firstDevice()[n])
                .map(String::valueOf)
                .collect(Collectors.joining(","));
    }

    private static String nics(FleetNics nics, Plan.PodPlacement pod) {
        return pod.nics().stream()
                .map(id -> AppliedPlan.indexOf(nics.groupId(), id))
                .map(g -> "+" + nics.resource()[g].substring(TestNics.PREFIX.length())
                        + (nics.place()[g] < 0 ? "" : "@" + nics.place()[g]))
                .collect(Collectors.joining());
    }
}
