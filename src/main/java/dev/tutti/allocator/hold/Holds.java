package dev.tutti.allocator.hold;

import dev.tutti.allocator.board.Board;
import dev.tutti.allocator.board.Piece;
import dev.tutti.allocator.board.Pieces;
import dev.tutti.model.JobId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Free capacity of a board that is kept for jobs within one decision, so that others do not see it. It does not decide for
 * whom, and counts nothing against quotas. Not safe for use by two threads.
 */
public final class Holds {

    private final Board board;
    private final Map<JobId, List<Piece>> held = new LinkedHashMap<>();

    public Holds(Board board) {
        this.board = board;
    }

    /**
     * Keeps for the job what is free of a place, beside what was kept for it before.
     *
     * @param place what its pods would hold there, whether or not it is free
     * @return what is kept by this
     */
    public List<Piece> keep(JobId job, List<Piece> place) {
        List<Piece> kept = new ArrayList<>(place.size());
        for (Piece wanted : place) {
            Piece free = Pieces.freeOf(board, wanted);
            Pieces.take(board, free);
            kept.add(free);
        }
        held.computeIfAbsent(job, first -> new ArrayList<>()).addAll(kept);
        return kept;
    }

    /** Lets all see again what was kept for the job; nothing when nothing was. */
    public void letGo(JobId job) {
        List<Piece> pieces = held.remove(job);
        if (pieces != null) {
            pieces.forEach(piece -> Pieces.give(board, piece));
        }
    }

    /** Lets all see again what was kept for anybody. */
    public void letGoOfAll() {
        List.copyOf(held.keySet()).forEach(this::letGo);
    }

    public boolean isEmpty() {
        return held.isEmpty();
    }
}
