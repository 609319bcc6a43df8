package dev.tutti.simulator.experiment;

import dev.tutti.allocator.board.Board;
import dev.tutti.allocator.fit.NodeChoice;
import dev.tutti.allocator.fit.Ranking;
import dev.tutti.allocator.policy.BestFit;
import dev.tutti.allocator.policy.Fragmentation;
import dev.tutti.allocator.policy.Mix;
import dev.tutti.allocator.policy.Policies;
import dev.tutti.allocator.policy.Policy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/** One way to choose nodes, ready for an experiment. */
public interface Contestant {

    /** The published policies, under the names of the selectable ones, which are played as published. */
    Map<String, Policy> PUBLISHED = Map.of("best-fit", new BestFit(), "fragmentation", new Fragmentation());

    String RANDOM = "random";

    String name();

    /**
     * Gets ready for one run.
     *
     * @param mix what the whole trace asks for; only policies played as published may look at it
     */
    NodeChoice over(Board board, Mix mix, Random random);

    /** The contestant of this name; the published ones know the whole trace's mix, all others learn as pods arrive. */
    static Optional<Contestant> find(String name) {
        if (name.equals(RANDOM)) {
            return Optional.of(named(name, (board, mix, random) -> new RandomChoice(board, random)));
        }
        if (PUBLISHED.containsKey(name)) {
            return Optional.of(named(
                    name,
                    (board, mix, random) -> new Ranking(
                            board,
                            new TieOrder(
                                    PUBLISHED.get(name).over(board, mix),
                                    board.layout().nodes(),
                                    random))));
        }
        return Policies.find(name)
                .map(policy -> named(name, (board, mix, random) -> new LearningChoice(board, policy)));
    }

    static List<String> names() {
        List<String> names = new ArrayList<>(Policies.names());
        names.add(RANDOM);
        return List.copyOf(names);
    }

    private static Contestant named(String name, Start start) {
        return new Contestant() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public NodeChoice over(Board board, Mix mix, Random random) {
                return start.over(board, mix, random);
            }
        };
    }

    /** How a contestant gets ready. */
    interface Start {
        NodeChoice over(Board board, Mix mix, Random random);
    }
}
