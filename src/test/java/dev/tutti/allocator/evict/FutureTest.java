package dev.tutti.allocator.evict;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.allocator.Snapshot;
import dev.tutti.allocator.board.Board;
import dev.tutti.allocator.board.Layout;
import dev.tutti.allocator.board.Piece;
import dev.tutti.allocator.fit.Request;
import dev.tutti.allocator.fit.Room;
import dev.tutti.allocator.policy.Policies;
import dev.tutti.allocator.quota.Account;
import dev.tutti.allocator.quota.QuotaCheck;
import dev.tutti.model.job.Lane;
import dev.tutti.model.job.TopologyWish;
import dev.tutti.testkit.scenario.TestFleet;
import dev.tutti.testkit.scenario.TestJobs;
import dev.tutti.testkit.scenario.TestNode;
import dev.tutti.testkit.scenario.TestQueues;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class FutureTest {

    private static final Snapshot SNAPSHOT = TestFleet.snapshot(
            Stream.of("n1 gpus=4", "n2 gpus=4").map(TestNode::of).toList(), new TestQueues().shares());
    private static final Layout LAYOUT = Layout.of(SNAPSHOT.names(), SNAPSHOT.fleet());
    private static final Room ROOM = Room.unlimited(LAYOUT.flavors());

    private static Request gpus(int gpus) {
        return Objects.requireNonNull(Request.of(
                LAYOUT,
                SNAPSHOT.names(),
                TestJobs.of("j gpus=" + gpus, 1, new TestQueues()).podSets(),
                TopologyWish.NONE));
    }

    private static Future.Start start(List<Piece> place) {
        return new Future.Start(place, new Account(0, Lane.YELLOW, ""), true);
    }

    @Test
    void aJobThatStartsWhereAnotherWaitsTakesThePlaceOnce() {
        Future future = new Future(SNAPSHOT, LAYOUT, Board.free(LAYOUT, SNAPSHOT.fleet()), Policies.standard());
        future.begin(SNAPSHOT, new QuotaCheck(SNAPSHOT.queues(), LAYOUT).runs(), 0);
        List<Piece> place = Objects.requireNonNull(future.find(gpus(3), ROOM));

        future.take(start(place));
        future.start(start(place));

        assertThat(future.find(gpus(1), ROOM)).isNotNull();
        assertThat(future.find(gpus(4), ROOM)).isNotNull();
        future.start(start(Objects.requireNonNull(future.find(gpus(4), ROOM))));
        assertThat(future.find(gpus(2), ROOM)).isNull();
        assertThat(future.find(gpus(1), ROOM)).isNotNull();
    }
}
