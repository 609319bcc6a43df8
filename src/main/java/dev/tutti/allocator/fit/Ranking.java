package dev.tutti.allocator.fit;

import dev.tutti.allocator.board.Area;
import dev.tutti.allocator.board.Board;
import dev.tutti.allocator.board.Changes;
import dev.tutti.allocator.board.NodeSet;
import dev.tutti.allocator.board.PodShape;
import dev.tutti.allocator.policy.Costs;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The cheapest node of an area, for every shape of pod that was asked for: one tournament for each shape, in which only
 * nodes that changed play again. Of equals the first position wins, so that the fleet fills from one end.
 */
public final class Ranking implements NodeChoice {

    /** Shapes remembered; bounds memory to so many numbers for each node. */
    private static final int MOST_SHAPES = 256;

    private final Board board;
    private final Changes changes;
    private Costs costs;
    private final Map<PodShape, Tournament> tournaments = new HashMap<>();
    private @Nullable PodShape passingShape;
    private @Nullable Tournament passing;
    private long refreshed = -1;
    private int node;
    private int device;

    public Ranking(Board board, Costs costs) {
        this.board = board;
        this.changes = board.changes();
        this.costs = costs;
    }

    /** Ranks by other costs from now on. */
    public void use(Costs others) {
        costs = others;
        refreshed = -1;
        tournaments.values().forEach(tournament -> tournament.seen = -1);
        passing = null;
    }

    @Override
    public boolean find(PodShape shape, Area area) {
        node = -1;
        if (shape.nodes().areFew()) {
            lookThrough(shape, area);
        } else {
            Tournament tournament = of(shape);
            for (int i = 0; i < area.size; i++) {
                node = tournament.best(area.lo[i], area.hi[i], node);
            }
        }
        if (node < 0) {
            return false;
        }
        device = shape.isPart() ? costs.device(node, shape) : -1;
        return true;
    }

    @Override
    public int node() {
        return node;
    }

    @Override
    public int device() {
        return device;
    }

    /** Without a tournament: it would cost all nodes, for the sake of a few. */
    private void lookThrough(PodShape shape, Area area) {
        refresh();
        long least = Costs.NO_ROOM;
        NodeSet nodes = shape.nodes();
        for (int i = 0; i < area.size; i++) {
            for (int p = nodes.next(area.lo[i]); p < area.hi[i]; p = nodes.next(p + 1)) {
                long itsCost = cost(p, shape);
                if (itsCost < least || itsCost == least && itsCost != Costs.NO_ROOM && p < node) {
                    least = itsCost;
                    node = p;
                }
            }
        }
    }

    private Tournament of(PodShape shape) {
        refresh();
        Tournament tournament = shape.nodes().isPassing() ? ofPassing(shape) : tournaments.get(shape);
        if (tournament == null) {
            if (tournaments.size() == MOST_SHAPES) {
                tournaments.clear();
            }
            tournament = new Tournament(board.layout().nodes());
            tournaments.put(shape, tournament);
        }
        bringUpToDate(tournament, shape);
        return tournament;
    }

    /** One is remembered: a set of equal pods asks for it again and again, and nobody after that. */
    private Tournament ofPassing(PodShape shape) {
        if (passing == null || !shape.equals(passingShape)) {
            passing = new Tournament(board.layout().nodes());
            passingShape = shape;
        }
        return passing;
    }

    private void refresh() {
        if (refreshed < changes.begin()) {
            for (int p = 0; p < board.layout().nodes(); p++) {
                costs.refresh(p);
            }
        } else {
            for (long i = refreshed; i < changes.end(); i++) {
                int p = changes.at(i);
                if (p >= 0) {
                    costs.refresh(p);
                }
            }
        }
        refreshed = changes.end();
    }

    private void bringUpToDate(Tournament tournament, PodShape shape) {
        if (tournament.seen < changes.begin()) {
            for (int p = 0; p < board.layout().nodes(); p++) {
                tournament.enter(p, cost(p, shape));
            }
            tournament.playAll();
        } else {
            for (long i = tournament.seen; i < changes.end(); i++) {
                int p = changes.at(i);
                if (p >= 0) {
                    tournament.play(p, cost(p, shape));
                }
            }
        }
        tournament.seen = changes.end();
    }

    private long cost(int p, PodShape shape) {
        boolean holds = (!shape.isWhole() || board.whole(p) >= shape.devices()) && board.hosts(p, shape);
        return holds ? costs.of(p, shape) : Costs.NO_ROOM;
    }
}
