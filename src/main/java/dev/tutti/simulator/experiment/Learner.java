package dev.tutti.simulator.experiment;

import dev.tutti.allocator.board.Board;
import dev.tutti.allocator.board.PodShape;
import dev.tutti.allocator.fit.Ranking;
import dev.tutti.allocator.policy.Mix;
import dev.tutti.allocator.policy.Policy;
import dev.tutti.allocator.policy.RecentMix;
import java.util.List;

/** Ranks by a policy that learns the mix from what has arrived so far, and knows nothing of what will. */
final class Learner {

    private final Board board;
    private final Policy policy;
    private final RecentMix recent = new RecentMix();
    private final Ranking ranking;
    private Mix mix = Mix.UNKNOWN;

    private Learner(Board board, Policy policy) {
        this.board = board;
        this.policy = policy;
        this.ranking = new Ranking(board, policy.over(board, mix));
    }

    static Player playing(Board board, Policy policy) {
        Learner learner = new Learner(board, policy);
        return new Player(learner.ranking, learner::arrived);
    }

    private void arrived(PodShape shape, List<String> flavors, int pods) {
        recent.add(shape, flavors, pods);
        Mix now = recent.mix();
        if (now != mix) {
            mix = now;
            ranking.use(policy.over(board, mix));
        }
    }
}
