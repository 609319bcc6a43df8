package dev.tutti.simulator.experiment;

import dev.tutti.allocator.board.Area;
import dev.tutti.allocator.board.Board;
import dev.tutti.allocator.board.PodShape;
import dev.tutti.allocator.fit.NodeChoice;
import dev.tutti.allocator.fit.Ranking;
import dev.tutti.allocator.policy.Mix;
import dev.tutti.allocator.policy.Policy;
import dev.tutti.allocator.policy.RecentMix;
import java.util.List;

/** A policy that learns the mix from what has arrived so far, and knows nothing of what will. */
final class LearningChoice implements NodeChoice {

    private final Board board;
    private final Policy policy;
    private final RecentMix recent = new RecentMix();
    private final Ranking ranking;
    private Mix mix = Mix.UNKNOWN;

    LearningChoice(Board board, Policy policy) {
        this.board = board;
        this.policy = policy;
        this.ranking = new Ranking(board, policy.over(board, mix));
    }

    void arrived(PodShape shape, List<String> flavors) {
        recent.add(shape, flavors, 1);
        Mix now = recent.mix();
        if (now != mix) {
            mix = now;
            ranking.use(policy.over(board, mix));
        }
    }

    @Override
    public boolean find(PodShape shape, Area area) {
        return ranking.find(shape, area);
    }

    @Override
    public int node() {
        return ranking.node();
    }

    @Override
    public int device() {
        return ranking.device();
    }
}
