package dev.tutti.allocator.fit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.allocator.Snapshot;
import dev.tutti.allocator.board.Area;
import dev.tutti.allocator.board.Board;
import dev.tutti.allocator.board.Layout;
import dev.tutti.allocator.board.PodShape;
import dev.tutti.allocator.board.Trail;
import dev.tutti.allocator.policy.Mix;
import dev.tutti.allocator.policy.Policies;
import dev.tutti.allocator.policy.Policy;
import dev.tutti.testkit.scenario.TestFleet;
import dev.tutti.testkit.scenario.TestNode;
import dev.tutti.testkit.scenario.TestQueues;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RankingTest {

    private static final int SEEDS = 100;
    private static final int STEPS = 120;
    private static final PodShape[] SHAPES = {
        new PodShape(1, 300, 1, 1),
        new PodShape(1, 500, 2, 1),
        new PodShape(1, 1_000, 1, 2),
        new PodShape(2, 1_000, 1, 1),
        new PodShape(4, 1_000, 4, 4),
        new PodShape(0, 0, 3, 1)
    };

    static List<String> policies() {
        return Policies.names();
    }

    @ParameterizedTest
    @MethodSource("policies")
    void whatIsKeptUpToDateChoosesAsWhatIsRankedAnew(String name) {
        Policy policy = Policies.find(name).orElseThrow();
        for (int seed = 0; seed < SEEDS; seed++) {
            Random random = new Random(seed);
            Board board = board(random);
            Mix mix = mix(random);
            Trail trail = new Trail(board);
            Ranking kept = new Ranking(board, policy.over(board, mix));
            for (int step = 0; step < STEPS; step++) {
                PodShape shape = SHAPES[random.nextInt(SHAPES.length)];
                Area area = area(board, random);
                Ranking anew = new Ranking(board, policy.over(board, mix));
                boolean found = kept.find(shape, area);
                assertThat(found).as("seed %d step %d", seed, step).isEqualTo(anew.find(shape, area));
                if (!found || random.nextInt(8) == 0) {
                    trail.undoTo(random.nextInt(trail.size() + 1));
                } else {
                    assertThat(kept.node()).as("seed %d step %d", seed, step).isEqualTo(anew.node());
                    assertThat(kept.device()).isEqualTo(anew.device());
                    trail.place(0, shape, kept.node(), kept.device());
                }
            }
        }
    }

    private static Area area(Board board, Random random) {
        int nodes = board.layout().nodes();
        int lo = random.nextInt(nodes);
        return random.nextBoolean() ? Area.of(0, nodes) : Area.of(lo, lo + 1 + random.nextInt(nodes - lo));
    }

    private static Mix mix(Random random) {
        List<Mix.Ask> asks = new ArrayList<>();
        for (PodShape shape : SHAPES) {
            asks.add(new Mix.Ask(shape, random.nextBoolean() ? List.of() : List.of("h100"), 1 + random.nextInt(50)));
        }
        return random.nextInt(4) == 0 ? Mix.UNKNOWN : new Mix(asks);
    }

    private static Board board(Random random) {
        List<TestNode> nodes = new ArrayList<>();
        int size = 3 + random.nextInt(30);
        for (int n = 0; n < size; n++) {
            nodes.add(TestNode.of("n" + n + " rack=r" + random.nextInt(4) + " gpus=" + random.nextInt(9) + " cpu="
                    + (5 + random.nextInt(30)) + " memory=20 flavor=" + (random.nextBoolean() ? "h100" : "a10")));
        }
        Snapshot snapshot = TestFleet.snapshot(nodes, new TestQueues().shares());
        return Board.free(Layout.of(snapshot.names(), snapshot.fleet()), snapshot.fleet());
    }
}
