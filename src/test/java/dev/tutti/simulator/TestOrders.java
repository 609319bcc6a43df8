package dev.tutti.simulator;

import dev.tutti.control.PodOrder;
import dev.tutti.model.AllocationId;
import dev.tutti.model.JobId;
import dev.tutti.model.PodName;
import dev.tutti.model.fleet.MigInstance;
import dev.tutti.model.job.NodeRules;
import dev.tutti.model.job.PodTemplate;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Pod orders for the tests of the simulator; number and rank make them differ. */
final class TestOrders {

    private final int number;
    private String node = "node-a";
    private List<Integer> devices = List.of(0);
    private int gpuMilli;
    private int graceSeconds = 30;
    private @Nullable Integer runtimeSeconds = 100;
    private Map<String, String> env = Map.of();

    private @Nullable MigInstance mig;

    private TestOrders(int number) {
        this.number = number;
    }

    static TestOrders order(int number) {
        return new TestOrders(number);
    }

    TestOrders on(String name, Integer... indexes) {
        node = name;
        devices = List.of(indexes);
        return this;
    }

    TestOrders share(int milli) {
        gpuMilli = milli;
        return this;
    }

    TestOrders cut(String profile, int start, int units) {
        mig = new MigInstance(profile, start, units);
        return this;
    }

    TestOrders grace(int seconds) {
        graceSeconds = seconds;
        return this;
    }

    TestOrders runtime(@Nullable Integer seconds) {
        runtimeSeconds = seconds;
        return this;
    }

    TestOrders exit(String code) {
        env = Map.of("SIMULATED_EXIT_CODE", code);
        return this;
    }

    PodOrder make() {
        JobId job = new JobId(new UUID(0, number));
        return new PodOrder(
                PodName.of(job, 1, 0),
                new AllocationId(number),
                job,
                "job | 作业 \\ " + number,
                1,
                0,
                "worker",
                1,
                node,
                gpuMilli > 0 || mig != null ? 0 : devices.size(),
                gpuMilli,
                devices,
                mig,
                1_000,
                1_024,
                NodeRules.NONE,
                graceSeconds,
                runtimeSeconds,
                new PodTemplate("image:1", List.of(), List.of(), env),
                List.of());
    }
}
