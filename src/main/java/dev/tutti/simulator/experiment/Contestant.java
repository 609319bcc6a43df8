package dev.tutti.simulator.experiment;

import dev.tutti.allocator.board.Board;
import dev.tutti.allocator.fit.Ranking;
import dev.tutti.allocator.policy.Mix;
import dev.tutti.allocator.policy.Policies;
import dev.tutti.allocator.policy.Policy;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;

/** One way to choose nodes, ready for any number of runs. */
public final class Contestant {

    /** Played as published: the whole trace's mix is known from the start, and ties are told apart by a random order. */
    private static final Set<String> PUBLISHED = Set.of("best-fit", "fragmentation");

    private static final List<Contestant> ALL = Stream.concat(
                    Policies.names().stream()
                            .flatMap(name -> Policies.find(name).stream())
                            .map(Contestant::of),
                    Stream.of(new Contestant(
                            "random", (board, mix, random) -> Player.deaf(new RandomChoice(board, random)))))
            .toList();

    private final String name;
    private final Entry entry;

    private Contestant(String name, Entry entry) {
        this.name = name;
        this.entry = entry;
    }

    /** All there are, the default policy first: each selectable policy, and one that draws at random. */
    public static List<Contestant> all() {
        return ALL;
    }

    /** The one of this name, if there is one. */
    public static Optional<Contestant> find(String name) {
        return ALL.stream().filter(one -> one.name.equals(name)).findFirst();
    }

    /** Its name: that of the policy, or {@code random}. */
    public String name() {
        return name;
    }

    /**
     * Gets ready for one run.
     *
     * @param mix what the whole trace asks for; only policies played as published look at it
     */
    Player enter(Board board, Mix mix, Random random) {
        return entry.enter(board, mix, random);
    }

    private static Contestant of(Policy policy) {
        return new Contestant(
                policy.name(),
                PUBLISHED.contains(policy.name())
                        ? (board, mix, random) -> Player.deaf(asPublished(policy, board, mix, random))
                        : (board, mix, random) -> Learner.playing(board, policy));
    }

    private static Ranking asPublished(Policy policy, Board board, Mix mix, Random random) {
        int nodes = board.layout().nodes();
        return new Ranking(board, new TieOrder(policy.over(board, mix), nodes, random));
    }

    private interface Entry {
        Player enter(Board board, Mix mix, Random random);
    }
}
