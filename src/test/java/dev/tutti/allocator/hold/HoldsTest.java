package dev.tutti.allocator.hold;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.allocator.Snapshot;
import dev.tutti.allocator.board.Board;
import dev.tutti.allocator.board.Layout;
import dev.tutti.allocator.board.Piece;
import dev.tutti.allocator.board.PodShape;
import dev.tutti.allocator.board.Trail;
import dev.tutti.testkit.scenario.TestFleet;
import dev.tutti.testkit.scenario.TestJobs;
import dev.tutti.testkit.scenario.TestNode;
import dev.tutti.testkit.scenario.TestQueues;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class HoldsTest {

    @Test
    void keepsWhatIsFreeOfAPlaceUntilItIsLetGo() {
        Board empty = board("n1 gpus=4", "n2 gpus=4");
        Trail place = new Trail(empty);
        place.place(0, new PodShape(4, 1_000, 0, 0), 0, -1);
        place.place(0, new PodShape(4, 1_000, 0, 0), 1, -1);
        Board board = board("n1 gpus=4 used=3", "n2 gpus=4");
        Holds holds = new Holds(board);

        assertThat(milli(holds.keep(TestJobs.id(1), place.pieces()))).isEqualTo(5_000);
        assertThat(milli(holds.keep(TestJobs.id(2), place.pieces()))).isZero();
        assertThat(board.whole(0) + board.whole(1)).isZero();
        assertThat(holds.isEmpty()).isFalse();

        holds.letGo(TestJobs.id(2));
        assertThat(board.whole(0) + board.whole(1)).isZero();
        holds.letGo(TestJobs.id(1));
        assertThat(board.whole(0)).isEqualTo(1);
        assertThat(board.whole(1)).isEqualTo(4);
        assertThat(holds.isEmpty()).isTrue();
    }

    private static long milli(List<Piece> pieces) {
        return pieces.stream().mapToLong(Piece::gpuMilli).sum();
    }

    private static Board board(String... lines) {
        Snapshot snapshot =
                TestFleet.snapshot(Stream.of(lines).map(TestNode::of).toList(), new TestQueues().shares());
        return Board.free(Layout.of(snapshot.names(), snapshot.fleet()), snapshot.fleet());
    }
}
