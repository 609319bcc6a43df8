package dev.tutti.allocator.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.allocator.GangAllocator;
import dev.tutti.allocator.Plan;
import dev.tutti.allocator.Snapshot;
import dev.tutti.allocator.WaitingJob;
import dev.tutti.testkit.scenario.Invariants;
import dev.tutti.testkit.scenario.TestFleet;
import dev.tutti.testkit.scenario.TestJobs;
import dev.tutti.testkit.scenario.TestNode;
import dev.tutti.testkit.scenario.TestQueues;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every policy places MIG instances, by its own idea of a good place. */
class MigPoliciesTest {

    static Stream<Policy> policies() {
        return Policies.names().stream().map(name -> Policies.find(name).orElseThrow());
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("policies")
    void everyPolicyPlacesInstancesBesideAllElse(Policy policy) {
        TestQueues queues = new TestQueues();
        Snapshot snapshot = TestFleet.snapshot(
                Stream.of(
                                "n1 gpus=2 mig=h100-80gb cut=1g.10gb@6",
                                "n2 gpus=3 mig=h100-80gb shares=300",
                                "n3 gpus=2 flavor=l40s")
                        .map(TestNode::of)
                        .toList(),
                queues.shares());
        List<WaitingJob> jobs = new ArrayList<>();
        for (String line :
                List.of("a mig=3g.40gb", "b mig=1g.10gb pods=4", "c gpus=1", "d share=500", "e mig=4g.40gb")) {
            jobs.add(TestJobs.of(line, jobs.size(), queues));
        }

        Plan plan = Invariants.check(new GangAllocator(policy), snapshot, jobs);

        assertThat(plan.waits()).isEmpty();
        assertThat(plan.placements()).hasSize(jobs.size());
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("policies")
    void onlyTheOneThatSpreadsBreaksAWholeGpuWhereACutOneHasRoom(Policy policy) {
        TestQueues queues = new TestQueues();
        Snapshot snapshot =
                TestFleet.snapshot(List.of(TestNode.of("n1 gpus=3 mig=h100-80gb cut=1g.10gb@6")), queues.shares());
        WaitingJob job = TestJobs.of("a mig=1g.10gb", 0, queues);

        Plan plan = new GangAllocator(policy).decide(snapshot, List.of(job), TestJobs.NOW_MICROS);

        long device = plan.placements().get(0).members().get(0).devices().get(0);
        assertThat(device == 1).isEqualTo(!policy.name().equals("spread"));
    }
}
