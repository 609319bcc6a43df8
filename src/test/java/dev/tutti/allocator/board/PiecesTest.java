package dev.tutti.allocator.board;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.allocator.fit.NodeChoice;
import dev.tutti.allocator.fit.Ranking;
import dev.tutti.allocator.policy.Mix;
import dev.tutti.allocator.policy.Policies;
import dev.tutti.model.fleet.MigLayouts;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PiecesTest {

    private static final int SEEDS = 300;

    @Test
    void whatIsGivenBackInAnyOrderIsFreeAndCanBeTakenAgain() {
        int pods = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            Random random = new Random(seed);
            Board board = BoardTest.randomBoard(random);
            String free = BoardTest.state(board);
            List<Piece> pieces = place(board, random);
            String taken = BoardTest.state(board);
            pods += pieces.size();

            Collections.shuffle(pieces, random);
            for (Piece piece : pieces) {
                assertThat(Pieces.heldOf(board, piece).gpuMilli()).isEqualTo(piece.gpuMilli());
                Pieces.give(board, piece);
            }
            assertThat(BoardTest.state(board)).as("seed " + seed).isEqualTo(free);

            Collections.shuffle(pieces, random);
            pieces.forEach(piece -> Pieces.take(board, piece));
            assertThat(BoardTest.state(board)).as("seed " + seed).isEqualTo(taken);
        }
        assertThat(pods).isGreaterThan(SEEDS);
    }

    @Test
    void ofAPlaceThatOthersHoldInPartTheRestCanBeTakenAndGivenBack() {
        int parts = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            Random random = new Random(seed);
            Board board = BoardTest.randomBoard(random);
            List<Piece> wanted = place(board, random);
            wanted.forEach(piece -> Pieces.give(board, piece));
            place(board, random);
            String before = BoardTest.state(board);

            List<Piece> held = new ArrayList<>();
            for (Piece piece : wanted) {
                Piece free = Pieces.freeOf(board, piece);
                Pieces.take(board, free);
                held.add(free);
                parts += free.gpuMilli() > 0 && free.gpuMilli() < piece.gpuMilli() ? 1 : 0;
                for (int i = 0; i < board.free.length; i++) {
                    assertThat(board.left(i)).as("seed " + seed).isBetween(0, Board.WHOLE);
                }
            }
            Collections.shuffle(held, random);
            held.forEach(piece -> Pieces.give(board, piece));
            assertThat(BoardTest.state(board)).as("seed " + seed).isEqualTo(before);
        }
        assertThat(parts).isGreaterThan(20);
    }

    private static List<Piece> place(Board board, Random random) {
        Trail trail = new Trail(board);
        NodeChoice choice = new Ranking(board, Policies.standard().over(board, Mix.UNKNOWN));
        for (int step = 0; step < 12; step++) {
            int devices = random.nextInt(3);
            PodShape shape = random.nextInt(3) == 0
                    ? new PodShape(
                            1,
                            125,
                            random.nextInt(MigLayouts.PROFILES.size()),
                            1,
                            1,
                            NodeSet.ALL,
                            0,
                            PodShape.ANY_RESOURCE)
                    : new PodShape(devices, devices == 1 ? 300 : devices == 0 ? 0 : 1_000, 1, 1);
            if (choice.find(shape, Area.of(0, board.layout.nodes()))) {
                trail.place(0, shape, choice.node(), choice.device());
            }
        }
        List<Piece> pieces = new ArrayList<>(trail.pieces());
        trail.keep();
        return pieces;
    }
}
