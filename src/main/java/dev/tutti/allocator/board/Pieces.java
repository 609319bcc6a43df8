package dev.tutti.allocator.board;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Gives back to a board what a pod holds, takes it again, and says what of it is free or held. What {@link #give} gave
 * {@link #take} takes again exactly, and the other way round.
 */
public final class Pieces {

    private Pieces() {}

    /** Makes all of the piece free. */
    public static void give(Board board, Piece piece) {
        change(board, piece, 1);
    }

    /** Takes all of the piece, free or not: amounts of a node may fall below 0, those of its devices must be there. */
    public static void take(Board board, Piece piece) {
        change(board, piece, -1);
    }

    private static void change(Board board, Piece piece, int sign) {
        int p = piece.position();
        board.cpu[p] += sign * piece.cpuMilli();
        board.memory[p] += sign * piece.memoryMib();
        board.pods[p] += sign * piece.pods();
        int milliChange = 0;
        for (int i = 0; i < piece.devices().length; i++) {
            changeDevice(board, piece.devices()[i], sign * piece.milli()[i], piece.units()[i]);
            milliChange += sign * piece.milli()[i];
        }
        for (int group : piece.nics()) {
            board.nics[group] += sign;
        }
        board.settle(p, milliChange);
    }

    private static void changeDevice(Board board, int d, int milli, int units) {
        if (units != 0) {
            int held = milli > 0 ? board.units[d] & ~units : board.units[d] | units;
            board.lay(d, board.left(d) + milli, held);
        } else if (board.units[d] == 0) {
            board.free[d] += milli;
        } else {
            board.uncut[d] += milli;
        }
    }

    /** What of the piece is held now and can be given back: nothing of a closed node, and of no device more than there is. */
    public static Piece heldOf(Board board, Piece piece) {
        if (!board.open[piece.position()]) {
            return nothing(piece);
        }
        int[] milli = piece.milli().clone();
        for (int i = 0; i < milli.length; i++) {
            int d = piece.devices()[i];
            int units = piece.units()[i];
            boolean isThere = units == 0 ? board.units[d] == 0 : (board.units[d] & units) == units;
            milli[i] = isThere ? Math.min(milli[i], Board.WHOLE - board.left(d)) : 0;
        }
        return withoutEmpty(
                piece, piece.cpuMilli(), piece.memoryMib(), piece.pods(), milli, piece.units(), piece.nics());
    }

    /**
     * What of the piece is free now. Of a device that serves other pods than this one could share it with, all that is left
     * counts: the piece can only come there when they are gone.
     */
    public static Piece freeOf(Board board, Piece piece) {
        int p = piece.position();
        if (!board.open[p]) {
            return nothing(piece);
        }
        int[] milli = piece.milli().clone();
        int[] units = piece.units().clone();
        for (int i = 0; i < milli.length; i++) {
            int d = piece.devices()[i];
            boolean fits = units[i] == 0
                    ? board.units[d] == 0
                    : (board.units[d] & units[i]) == 0
                            && (board.units[d] == 0 ? board.free[d] == Board.WHOLE : board.uncut[d] >= milli[i]);
            if (!fits) {
                milli[i] = board.left(d);
                units[i] = 0;
            }
            milli[i] = Math.min(milli[i], board.left(d));
        }
        int[] nics = Arrays.stream(piece.nics())
                .distinct()
                .flatMap(g -> free(board, piece, g))
                .toArray();
        return withoutEmpty(
                piece,
                Math.max(0, Math.min(board.cpu[p], piece.cpuMilli())),
                Math.max(0, Math.min(board.memory[p], piece.memoryMib())),
                Math.max(0, Math.min(board.pods[p], piece.pods())),
                milli,
                units,
                nics);
    }

    private static IntStream free(Board board, Piece piece, int group) {
        long wanted = Arrays.stream(piece.nics()).filter(each -> each == group).count();
        return IntStream.generate(() -> group).limit(Math.max(0, Math.min(wanted, board.nics[group])));
    }

    private static Piece nothing(Piece piece) {
        return new Piece(piece.position(), 0, 0, 0, new int[0], new int[0], new int[0], new int[0]);
    }

    private static Piece withoutEmpty(
            Piece piece, long cpu, long memory, int pods, int[] milli, int[] units, int[] nics) {
        int[] there = IntStream.range(0, milli.length).filter(i -> milli[i] > 0).toArray();
        return new Piece(
                piece.position(),
                cpu,
                memory,
                pods,
                pick(piece.devices(), there),
                pick(milli, there),
                pick(units, there),
                nics);
    }

    private static int[] pick(int[] values, int[] which) {
        return Arrays.stream(which).map(i -> values[i]).toArray();
    }
}
