package dev.tutti.simulator.experiment;

import dev.tutti.allocator.board.PodShape;
import dev.tutti.allocator.policy.Costs;
import java.util.Random;

/**
 * Tells equals apart by a random order of the nodes, drawn once, as the published experiment does. Only for policies with
 * small costs: ties are so common there that their order is part of the algorithm.
 */
final class TieOrder implements Costs {

    private final Costs costs;
    private final int[] order;

    TieOrder(Costs costs, int nodes, Random random) {
        this.costs = costs;
        order = new int[nodes];
        for (int i = 0; i < nodes; i++) {
            int j = random.nextInt(i + 1);
            order[i] = order[j];
            order[j] = i;
        }
    }

    @Override
    public void refresh(int position) {
        costs.refresh(position);
    }

    @Override
    public long of(int position, PodShape shape) {
        long cost = costs.of(position, shape);
        return cost == NO_ROOM ? NO_ROOM : cost * order.length + order[position];
    }

    @Override
    public int device(int position, PodShape shape) {
        return costs.device(position, shape);
    }
}
