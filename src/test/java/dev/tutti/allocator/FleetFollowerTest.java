package dev.tutti.allocator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.tutti.allocator.board.Board;
import dev.tutti.allocator.board.Layout;
import dev.tutti.allocator.board.PodShape;
import dev.tutti.testkit.scenario.TestFleet;
import dev.tutti.testkit.scenario.TestNode;
import dev.tutti.testkit.scenario.TestQueues;
import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Following a fleet after a plan: it ends when the board is as the fleet says, and says so when it never is. */
class FleetFollowerTest {

    private static final int NODES = 5;
    private static final PodShape POD = new PodShape(0, 0, 100, 10);

    private final Snapshot snapshot = TestFleet.snapshot(
            IntStream.range(0, NODES)
                    .mapToObj(i -> TestNode.of("n" + i + " gpus=1"))
                    .toList(),
            new TestQueues().shares());
    private final Board board = Board.free(Layout.of(snapshot.names(), snapshot.fleet()), snapshot.fleet());

    @Test
    void takesBackAPlanThatTouchedEveryNode() {
        FleetFollower follower = new FleetFollower(board, snapshot);
        for (int p = 0; p < NODES; p++) {
            take(p);
            take(p);
        }

        follower.follow(snapshot.fleet());

        assertThat(follower.changed()).isTrue();
        for (int p = 0; p < NODES; p++) {
            int n = board.layout().node[p];
            assertThat(board.cpu(p)).isEqualTo(snapshot.fleet().cpuFreeMilli()[n]);
            assertThat(board.pods(p)).isEqualTo(snapshot.fleet().podsFree()[n]);
        }
        follower.follow(snapshot.fleet());
        assertThat(follower.changed()).isFalse();
    }

    @Test
    void aBoardThatNeverSettlesStopsTheDecisionWithTheNodeAndItsValues() {
        boolean[] taken = {true};
        FleetFollower follower = new FleetFollower(board, snapshot, (p, fleet) -> {
            if (taken[0]) {
                board.give(p, POD, new int[0], 0, 0);
            } else {
                take(p);
            }
            taken[0] = !taken[0];
            return false;
        });
        take(0);
        long cpu = board.cpu(0);
        String node = snapshot.names().nodes().get(board.layout().node[0]);

        assertTimeoutPreemptively(
                Duration.ofSeconds(20),
                () -> assertThatThrownBy(() -> follower.follow(snapshot.fleet()))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining(
                                NODES + 1 + " changes among " + NODES + " nodes; the last of node " + node)
                        .hasMessageContaining("the board has " + cpu + " milli-CPU")
                        .hasMessageContaining("the fleet " + (cpu + POD.cpuMilli()) + " milli-CPU"));
    }

    private void take(int p) {
        board.take(p, POD, new int[0], 0, 0);
    }
}
