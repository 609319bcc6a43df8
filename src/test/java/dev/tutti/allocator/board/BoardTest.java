package dev.tutti.allocator.board;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.allocator.Snapshot;
import dev.tutti.allocator.fit.NodeChoice;
import dev.tutti.allocator.fit.Ranking;
import dev.tutti.allocator.policy.Mix;
import dev.tutti.allocator.policy.Policies;
import dev.tutti.model.fleet.MigLayouts;
import dev.tutti.testkit.scenario.TestFleet;
import dev.tutti.testkit.scenario.TestNode;
import dev.tutti.testkit.scenario.TestQueues;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class BoardTest {

    private static final int[] MILLI = {100, 200, 300, 700, 1_000};
    private static final int PROFILES = MigLayouts.PROFILES.size();

    @Test
    @DisplayName("B28 a thousand rounds of 0.1, 0.2, 0.3 and 0.7 leave exactly 1")
    void addAndRemove() {
        Board board = board("n1 rack=a gpus=1", "n2 rack=a gpus=2 shares=300");
        String before = state(board);
        Random random = new Random(28);
        Trail trail = new Trail(board);
        NodeChoice choice = new Ranking(board, Policies.standard().over(board, Mix.UNKNOWN));
        for (int round = 0; round < 1_000; round++) {
            PodShape shape = new PodShape(1, MILLI[random.nextInt(4)], 10, 10);
            while (choice.find(shape, Area.of(0, 2))) {
                trail.place(0, shape, choice.node(), choice.device());
                shape = new PodShape(1, MILLI[random.nextInt(4)], 10, 10);
            }
            trail.undoTo(random.nextInt(trail.size() + 1));
        }
        trail.undoTo(0);

        assertThat(state(board)).isEqualTo(before);
        assertThat(board.free[0]).isEqualTo(1_000);
    }

    @Test
    void whatIsKeptUpToDateEqualsWhatIsCountedAnew() {
        for (int seed = 0; seed < 200; seed++) {
            Random random = new Random(seed);
            Board board = randomBoard(random);
            String before = state(board);
            Trail trail = new Trail(board);
            NodeChoice choice = new Ranking(board, Policies.standard().over(board, Mix.UNKNOWN));
            for (int step = 0; step < 60; step++) {
                int devices = random.nextInt(3);
                int milli = devices == 1 ? MILLI[random.nextInt(5)] : devices == 0 ? 0 : 1_000;
                PodShape shape = random.nextInt(3) == 0
                        ? new PodShape(
                                1,
                                125,
                                random.nextInt(PROFILES),
                                random.nextInt(3),
                                0,
                                NodeSet.ALL,
                                0,
                                PodShape.ANY_RESOURCE)
                        : new PodShape(devices, milli, random.nextInt(3), random.nextInt(3));
                if (random.nextInt(5) == 0) {
                    trail.undoTo(random.nextInt(trail.size() + 1));
                } else if (choice.find(shape, Area.of(0, board.layout.nodes()))) {
                    trail.place(0, shape, choice.node(), choice.device());
                }
                countedAnew(board);
            }
            trail.undoTo(0);
            assertThat(state(board)).as("seed " + seed).isEqualTo(before);
        }
    }

    @Test
    void aBoardThatFollowsIsTheOneMadeAnewAndTellsWhatMayFitNow() {
        int shrank = 0;
        for (int seed = 0; seed < 3_000; seed++) {
            Random random = new Random(seed);
            Snapshot before = snapshot(migNode(random));
            Snapshot after = snapshot(migNode(random));
            Layout layout = Layout.of(before.names(), before.fleet());
            Board board = Board.free(layout, before.fleet());
            int[] heldBefore = capacities(board);

            boolean grew = board.follow(0, after.fleet());

            assertThat(state(board)).as("seed " + seed).isEqualTo(state(Board.free(layout, after.fleet())));
            int[] holds = capacities(board);
            for (int i = 0; i < holds.length && !grew; i++) {
                assertThat(holds[i]).as("seed " + seed + " shape " + i).isLessThanOrEqualTo(heldBefore[i]);
            }
            shrank += grew ? 0 : 1;
        }
        assertThat(shrank).isGreaterThan(100);
    }

    /** Pods of each kind that fit on the node: shares, whole GPUs, instances of every profile. */
    private static int[] capacities(Board board) {
        int[] holds = new int[MILLI.length + PROFILES];
        for (int i = 0; i < holds.length; i++) {
            PodShape shape = i < MILLI.length
                    ? new PodShape(1, MILLI[i], 0, 0)
                    : new PodShape(1, 125, i - MILLI.length, 0, 0, NodeSet.ALL, 0, PodShape.ANY_RESOURCE);
            holds[i] = Capacity.ofNode(board, 0, shape, 100);
        }
        return holds;
    }

    private static String migNode(Random random) {
        String[] states = {
            "", " used=1", " shares=500", " shares=100", " cut=3g.20gb@4", " cut=1g.5gb@0", " cut=1g.5gb@6/3g.20gb@0"
        };
        return "n1 gpus=1 mig=a100-40gb cpu=9 memory=9" + states[random.nextInt(states.length)]
                + (random.nextInt(8) == 0 ? " closed" : "");
    }

    private static void countedAnew(Board board) {
        Layout layout = board.layout;
        int[] cellWhole = new int[board.cellWhole.length];
        long[] cellMilli = new long[board.cellMilli.length];
        for (int p = 0; p < layout.nodes(); p++) {
            int whole = 0;
            long milli = 0;
            for (int d = layout.deviceLo[p]; d < layout.deviceLo[p + 1]; d++) {
                whole += board.free[d] == 1_000 ? 1 : 0;
                milli += board.free[d] + board.uncut[d];
                int cut = 1_000 - 125 * Integer.bitCount(board.units[d]);
                assertThat(board.units[d] == 0 || board.free[d] == 0 && (board.uncut[d] == cut || !board.open[p]))
                        .as("one mode")
                        .isTrue();
            }
            assertThat(board.whole[p]).isEqualTo(whole);
            assertThat(board.milli[p]).isEqualTo(milli);
            for (int[] cells : layout.cells.of) {
                cellWhole[cells[p]] += whole;
                cellMilli[cells[p]] += milli;
            }
        }
        assertThat(board.cellWhole).isEqualTo(cellWhole);
        assertThat(board.cellMilli).isEqualTo(cellMilli);
    }

    static Board randomBoard(Random random) {
        List<String> nodes = new ArrayList<>();
        for (int n = 0; n < 4; n++) {
            int gpus = random.nextInt(4);
            nodes.add("n" + n + " rack=r" + random.nextInt(2) + " gpus=" + gpus + " cpu=9 memory=9"
                    + (random.nextBoolean() ? " flavor=cut mig=a100-40gb" : "")
                    + (gpus > 1 ? " shares=300" : "")
                    + (random.nextInt(6) == 0 ? " closed" : ""));
        }
        return board(nodes.toArray(String[]::new));
    }

    private static Snapshot snapshot(String... lines) {
        List<TestNode> nodes = List.of(lines).stream().map(TestNode::of).toList();
        return TestFleet.snapshot(nodes, new TestQueues().shares());
    }

    static Board board(String... lines) {
        Snapshot snapshot = snapshot(lines);
        return Board.free(Layout.of(snapshot.names(), snapshot.fleet()), snapshot.fleet());
    }

    static String state(Board board) {
        return java.util.Arrays.toString(board.free)
                + java.util.Arrays.toString(board.units)
                + java.util.Arrays.toString(board.uncut)
                + java.util.Arrays.toString(board.cpu)
                + java.util.Arrays.toString(board.memory)
                + java.util.Arrays.toString(board.pods)
                + java.util.Arrays.toString(board.nics)
                + java.util.Arrays.toString(board.whole)
                + java.util.Arrays.toString(board.cellMilli);
    }
}
