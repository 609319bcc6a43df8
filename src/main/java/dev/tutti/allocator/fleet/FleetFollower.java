package dev.tutti.allocator.fleet;

import dev.tutti.allocator.board.Board;
import dev.tutti.allocator.board.Capacity;
import dev.tutti.allocator.board.Changes;
import dev.tutti.allocator.board.Layout;
import dev.tutti.allocator.fit.Request;
import dev.tutti.allocator.reserve.Holdings;
import java.util.Arrays;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a board true to one snapshot of the fleet after the other, and knows which nodes grew and which flavors changed in
 * between. Nodes that a plan touched are set back to what the snapshot says.
 */
public final class FleetFollower {

    /** Of more nodes that grew at once only the flavors are remembered. */
    private static final int MOST_GROWN = 64;

    private final Board board;
    private final Layout layout;
    private final Changes changes;
    /** Position of each node of the snapshot. */
    private final int[] position;

    private final int[] grown = new int[MOST_GROWN];
    private final boolean[] grewIn;
    private int manyGrown;
    private FleetArrays last;
    /** Changes of the board before this index were followed. */
    private long followed;
    /** Changes of the board from this index on happened since this decision began. */
    private long begun;

    private final boolean[] changedBefore;
    private boolean anyChanged;

    public FleetFollower(Board board, FleetArrays fleet) {
        this.board = board;
        this.layout = board.layout();
        this.changes = board.changes();
        this.last = fleet;
        position = new int[fleet.nodes()];
        for (int p = 0; p < position.length; p++) {
            position[layout.node[p]] = p;
        }
        grewIn = new boolean[layout.flavors()];
        changedBefore = new boolean[layout.flavors()];
        followed = changes.end();
        begun = followed;
    }

    /** Sets the board to this fleet, which has the shape of the one before. */
    public void follow(FleetArrays fleet) {
        manyGrown = 0;
        anyChanged = false;
        Arrays.fill(grewIn, false);
        Arrays.fill(changedBefore, false);
        last.differences(fleet, n -> follow(position[n], fleet));
        takeBack(fleet);
        last = fleet;
        begun = changes.end();
        followed = begun;
    }

    /** Sets what the last plan touched. Following a node can change others' entries, so the end is looked up each time. */
    private void takeBack(FleetArrays fleet) {
        for (long i = followed; i < changes.end(); i++) {
            if (i < changes.begin()) {
                for (int p = 0; p < position.length; p++) {
                    follow(p, fleet);
                }
                return;
            }
            int p = changes.at(i);
            if (p >= 0) {
                follow(p, fleet);
            }
        }
    }

    /** Does what changes the board for a while only, so that nobody else looks again because of it. */
    public void unseen(Runnable change) {
        takeIn();
        change.run();
        begun = changes.end();
    }

    /** The same, with an answer. */
    public <T extends @Nullable Object> T answerUnseen(Supplier<T> change) {
        takeIn();
        T answer = change.get();
        begun = changes.end();
        return answer;
    }

    /** What running jobs hold of this fleet. */
    public Holdings holdings() {
        return new Holdings(layout, last, position);
    }

    /** Whether anything changed, before this decision began or by what it placed. */
    public boolean changed() {
        return anyChanged || changes.end() > begun;
    }

    /** Whether capacity of one of these flavors changed, before this decision began or since. */
    public boolean concerns(boolean[] flavors) {
        takeIn();
        for (int f = 0; f < flavors.length; f++) {
            if (flavors[f] && changedBefore[f]) {
                return true;
            }
        }
        return false;
    }

    /** Whether a node grew that holds a pod of the gang. */
    public boolean mayServe(boolean[] flavors, Request request) {
        if (manyGrown > MOST_GROWN) {
            for (int f = 0; f < flavors.length; f++) {
                if (flavors[f] && grewIn[f]) {
                    return true;
                }
            }
            return false;
        }
        for (int i = 0; i < manyGrown; i++) {
            if (flavors[layout.flavor[grown[i]]] && holdsAny(grown[i], request)) {
                return true;
            }
        }
        return false;
    }

    private boolean holdsAny(int p, Request request) {
        for (int set = 0; set < request.sets(); set++) {
            if (Capacity.ofNode(board, p, request.shape(set), 1) > 0) {
                return true;
            }
        }
        return false;
    }

    private void follow(int p, FleetArrays fleet) {
        long before = changes.end();
        boolean grew = board.follow(p, fleet);
        if (grew) {
            if (manyGrown < MOST_GROWN) {
                grown[manyGrown] = p;
            }
            manyGrown++;
            grewIn[layout.flavor[p]] = true;
        }
        anyChanged |= changes.end() > before;
        changedBefore[layout.flavor[p]] |= changes.end() > before;
    }

    /** Flavors of the nodes that placements of this decision changed. */
    private void takeIn() {
        anyChanged |= changes.end() > begun;
        if (begun < changes.begin()) {
            Arrays.fill(changedBefore, true);
        } else {
            for (long i = begun; i < changes.end(); i++) {
                int p = changes.at(i);
                if (p >= 0) {
                    changedBefore[layout.flavor[p]] = true;
                }
            }
        }
        begun = changes.end();
    }
}
