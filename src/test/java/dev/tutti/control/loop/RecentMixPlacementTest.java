package dev.tutti.control.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.allocator.GangAllocator;
import dev.tutti.allocator.quota.HalfLife;
import dev.tutti.control.Actor;
import dev.tutti.control.JobBook;
import dev.tutti.control.PlanId;
import dev.tutti.model.JobId;
import dev.tutti.model.job.GpuRequest;
import dev.tutti.model.job.JobSpec;
import dev.tutti.model.job.Lane;
import dev.tutti.model.job.PodSet;
import dev.tutti.model.job.PodTemplate;
import dev.tutti.model.job.TopologyWish;
import dev.tutti.model.life.EndCause;
import dev.tutti.testkit.Truth;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What was asked for lately decides where a share goes: the real cycle with the real allocator. A share of 0.35 runs; 0.32
 * would fit best beside it, but where 0.65 is what comes most, that hole is 0.65's, and 0.32 begins a GPU on which another
 * 0.65 completes it.
 */
class RecentMixPlacementTest {

    private static final Actor.Caller ME = new Actor.Caller("me");

    private final Bench bench = new Bench();
    private SchedulingCycle cycle;
    private JobId runs;

    @BeforeEach
    void aShareRuns() {
        bench.step();
        cycle = cycle();
        runs = submit(350);
        cycle.turn();
    }

    @Test
    void aShareFillsTheFullestGpuWhileNothingIsKnown() {
        JobId share = submit(320);
        cycle.turn();
        assertThat(gpu(share)).isEqualTo(gpu(runs));
    }

    @Test
    void aShareKeepsTheHoleForWhatComesMost() {
        muchIsAskedFor();
        JobId share = submit(320);
        JobId most = submit(650);
        JobId again = submit(650);
        cycle.turn();
        assertThat(gpu(share)).isNotEqualTo(gpu(runs));
        assertThat(Stream.of(gpu(most), gpu(again))).containsExactlyInAnyOrder(gpu(runs), gpu(share));
    }

    @Test
    void theNextLeaderKnowsItToo() {
        muchIsAskedFor();
        cycle.turn();
        bench.pass(11);
        bench.lead("second");
        bench.run(3);
        cycle = cycle();
        JobId share = submit(320);
        cycle.turn();
        assertThat(gpu(share)).isNotEqualTo(gpu(runs));
    }

    /** Asked for and cancelled before anybody looked: it counts all the same. */
    private void muchIsAskedFor() {
        for (int i = 0; i < 99; i++) {
            JobId job = submit(i % 3 == 0 ? 320 : 650);
            bench.store.jobBook().stop(job, EndCause.CANCELLED_BY_USER, null, ME);
        }
    }

    private SchedulingCycle cycle() {
        return new SchedulingCycle(
                bench.store.feed(),
                new GangAllocator(),
                bench.store.ledger(),
                Bench.LEVELS,
                List.of(bench.sync),
                () -> true,
                () -> new PlanId(new UUID(9, ++bench.plans)),
                bench.alarms::add,
                bench.leader,
                new PastKeeper(bench.store.pasts(), HalfLife.OFF, bench.leader));
    }

    private String gpu(JobId job) {
        return bench.store.truth().live().stream()
                .filter(one -> one.id().equals(job))
                .map(Truth.Job::members)
                .map(members -> members.get(0).node() + "/" + members.get(0).devices())
                .findFirst()
                .orElseThrow();
    }

    private JobId submit(int milli) {
        PodTemplate template = new PodTemplate("image", List.of(), List.of(), Map.of());
        PodSet set = new PodSet("worker", 1, 1, new GpuRequest.Share(milli), List.of(), 0, 0, template);
        JobSpec spec = new JobSpec("j", "team", Lane.YELLOW, 0, List.of(set), TopologyWish.NONE, 600, 10, 0, Map.of());
        List<JobId> ids = new ArrayList<>();
        bench.store.jobBook().submit(new JobBook.Submission(ME, null, "", List.of(spec), made -> {
            ids.addAll(made);
            return new byte[0];
        }));
        return ids.get(0);
    }
}
