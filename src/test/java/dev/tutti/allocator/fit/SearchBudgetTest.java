package dev.tutti.allocator.fit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.allocator.board.Board;
import dev.tutti.allocator.board.Layout;
import dev.tutti.allocator.board.Trail;
import dev.tutti.allocator.policy.Mix;
import dev.tutti.allocator.policy.Policies;
import dev.tutti.model.fleet.TopologyLevels;
import dev.tutti.model.job.GpuRequest;
import dev.tutti.model.job.PodSet;
import dev.tutti.model.job.PodTemplate;
import dev.tutti.model.job.TopologyWish;
import dev.tutti.simulator.experiment.Fleet;
import dev.tutti.simulator.fleet.Fleets;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Thousands of narrow domains that hold each pod set alone but not all of them: a wider one must still be found. */
class SearchBudgetTest {

    private static final PodTemplate TEMPLATE = new PodTemplate("app", List.of(), List.of(), Map.of());
    private static final Fleet FLEET = Fleet.of(
            Fleets.named("nodes=5000,gpus=8,flavor=h100-sxm"),
            List.of("network.topology.nvidia.com/block", "network.topology.nvidia.com/rack"));
    private static final int RACK = 2;

    @Test
    void setsThatNeedMoreGpusThanANodeHasGoToOneRack() {
        assertThat(racks(set("trainer", 2, 4, 1_000), set("helper", 2, 1, 1_000)))
                .hasSize(1);
    }

    @Test
    void setsThatNeedMoreCpuThanANodeHasGoToOneRack() {
        assertThat(racks(set("trainer", 1, 4, 100_000), set("helper", 1, 1, 100_000)))
                .hasSize(1);
    }

    @Test
    void setsThatFitOnOneNodeStayOnIt() {
        assertThat(racks(set("trainer", 1, 4, 80_000), set("helper", 2, 1, 50_000)))
                .hasSize(1);
    }

    private static List<Integer> racks(PodSet... sets) {
        Trail trail = place(sets);
        return IntStream.range(0, trail.size())
                .map(pod -> FLEET.arrays().domain()[RACK - 1][trail.node(pod)])
                .distinct()
                .boxed()
                .toList();
    }

    /** The pods of a gang that wishes for one node. */
    private static Trail place(PodSet... sets) {
        Layout layout = Layout.of(FLEET.names(), FLEET.arrays());
        Board board = Board.free(layout, FLEET.arrays());
        Trail trail = new Trail(board);
        Search search = new Search(board, new Ranking(board, Policies.standard().over(board, Mix.UNKNOWN)));
        Room room = Room.unlimited(layout.flavors());
        TopologyWish oneNode = new TopologyWish(null, TopologyLevels.NODE_LEVEL);
        Request request = Request.of(layout, FLEET.names(), List.of(sets), oneNode);
        assertThat(search.place(request, room, trail)).isTrue();
        return trail;
    }

    private static PodSet set(String name, int count, int gpus, long cpuMilli) {
        return new PodSet(name, count, count, new GpuRequest.Whole(gpus), List.of(), cpuMilli, 1_024, TEMPLATE);
    }
}
