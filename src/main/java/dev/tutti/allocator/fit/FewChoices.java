package dev.tutti.allocator.fit;

import dev.tutti.allocator.board.Board;
import dev.tutti.allocator.board.Capacity;
import dev.tutti.allocator.board.NodeSet;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/**
 * Some of the ways to give each pod set one flavor, where there are too many to look at all: ways that differ much come
 * first. First as wished for; then every set on the same flavor, as far as it may, each in turn; then each set on another
 * than its neighbour; then others as wished for. What a set before took is gone for those behind it, so a way that room or
 * capacity rules out takes no other way's place. Sets with few flavors choose first, and of those the largest.
 */
final class FewChoices {

    /** Flavors of sets to try: for a first way of each kind, and for all others together. */
    private static final int STEPS_A_WAY = 200;

    private static final int STEPS = 4_000;

    /** What is left for further sets while a way is made. */
    interface Claim {

        Claim ANYTHING = new Claim() {
            @Override
            public boolean take(int set, int flavor) {
                return true;
            }

            @Override
            public void give(int set, int flavor) {}
        };

        /** Takes what the smallest start of the set needs there, if it is left. */
        boolean take(int set, int flavor);

        /** The opposite of {@link #take}. */
        void give(int set, int flavor);
    }

    private final int[][][] rounds;
    private final int[][] wishes;
    private final int[] order;
    private final Claim claim;
    /** Choices as they were found; the flavors as a list are the key. */
    private final Map<List<Integer>, int[]> found = new LinkedHashMap<>();

    private int stepsLeft;
    private boolean areAll;

    private FewChoices(int[][][] rounds, long[] needs, Claim claim) {
        this.rounds = rounds;
        this.claim = claim;
        wishes = Arrays.stream(rounds)
                .map(each -> Arrays.stream(each).flatMapToInt(Arrays::stream).toArray())
                .toArray(int[][]::new);
        order = IntStream.range(0, wishes.length)
                .boxed()
                .sorted(Comparator.<Integer>comparingInt(s -> wishes[s].length).thenComparingLong(s -> -needs[s]))
                .mapToInt(s -> s)
                .toArray();
        if (Arrays.stream(wishes).allMatch(wish -> wish.length > 0)) {
            find();
        } else {
            areAll = true;
        }
    }

    /** Whatever there is room for. */
    static FewChoices of(int[][][] rounds) {
        return new FewChoices(rounds, new long[rounds.length], Claim.ANYTHING);
    }

    /** Those for whose smallest start the room suffices. */
    static FewChoices within(Request request, Room room) {
        return new FewChoices(request.rounds, needs(request), claim(request, room.copy()));
    }

    /** The same where it must also be free, each set alone and all together. */
    static FewChoices within(Request request, Room room, Board board) {
        int[][][] rounds = new int[request.sets()][][];
        for (int s = 0; s < rounds.length; s++) {
            int set = s;
            rounds[s] = Arrays.stream(request.rounds[s])
                    .map(round -> Arrays.stream(round)
                            .filter(f -> holds(request, set, f, board))
                            .toArray())
                    .toArray(int[][]::new);
        }
        return new FewChoices(rounds, needs(request), claim(request, withFree(room.copy(), board)));
    }

    private static boolean holds(Request request, int set, int flavor, Board board) {
        int least = request.min[set];
        int end = board.layout.flavorLo[flavor + 1];
        return Capacity.ofRange(board, board.layout.flavorLo[flavor], end, request.shapes[set], least) >= least;
    }

    private static Room withFree(Room room, Board board) {
        Measure measure = new Measure(board, new FirstFit(board));
        for (Resource resource : Room.RESOURCES) {
            for (int f = 0; f < board.layout.flavors(); f++) {
                room.limit(resource, f, Math.min(room.of(resource, f), measure.free(resource, f, NodeSet.ALL)));
            }
        }
        return room;
    }

    private static long[] needs(Request request) {
        return IntStream.range(0, request.sets())
                .mapToLong(s -> request.min[s] * request.shapes[s].gpuMilli())
                .toArray();
    }

    private static Claim claim(Request request, Room left) {
        return new Claim() {
            @Override
            public boolean take(int set, int flavor) {
                int least = request.min[set];
                boolean isLeft = left.podsOf(request, set, flavor, least) == least;
                if (isLeft) {
                    left.take(request, set, flavor, least);
                }
                return isLeft;
            }

            @Override
            public void give(int set, int flavor) {
                left.take(request, set, flavor, -request.min[set]);
            }
        };
    }

    /** Whether there are no others. */
    boolean areAll() {
        return areAll;
    }

    /** In rounds, best first, as {@link FlavorChoices} has them. */
    int[][][] inRounds() {
        Map<List<Integer>, List<int[]>> byRound = new LinkedHashMap<>();
        for (int[] choice : found.values()) {
            byRound.computeIfAbsent(roundsOf(choice), fresh -> new ArrayList<>())
                    .add(choice);
        }
        return byRound.entrySet().stream()
                .sorted((a, b) -> compare(a.getKey(), b.getKey()))
                .map(round -> round.getValue().toArray(int[][]::new))
                .toArray(int[][][]::new);
    }

    private static int compare(List<Integer> a, List<Integer> b) {
        return Arrays.compare(
                a.stream().mapToInt(i -> i).toArray(),
                b.stream().mapToInt(i -> i).toArray());
    }

    private List<Integer> roundsOf(int[] choice) {
        List<Integer> picks = new ArrayList<>();
        for (int s = 0; s < choice.length; s++) {
            int pick = 0;
            while (!contains(rounds[s][pick], choice[s])) {
                pick++;
            }
            picks.add(pick);
        }
        return picks;
    }

    private static boolean contains(int[] flavors, int flavor) {
        return Arrays.stream(flavors).anyMatch(f -> f == flavor);
    }

    private void find() {
        one(s -> wishes[s]);
        int[] all = Arrays.stream(wishes)
                .flatMapToInt(Arrays::stream)
                .sorted()
                .distinct()
                .toArray();
        for (int flavor : all) {
            one(s -> from(wishes[s], Math.max(0, indexOf(wishes[s], flavor)), true));
        }
        for (int turn = 0; turn < all.length; turn++) {
            int by = turn;
            one(s -> from(wishes[s], (by + s) % wishes[s].length, false));
        }
        stepsLeft = STEPS;
        areAll = !descend(0, new int[wishes.length], s -> wishes[s], FlavorChoices.MOST);
    }

    private void one(IntFunction<int[]> wish) {
        stepsLeft = STEPS_A_WAY;
        if (found.size() < FlavorChoices.MOST) {
            descend(0, new int[wishes.length], wish, found.size() + 1);
        }
    }

    /** The same flavors, first that at an index; behind it those that follow it, or all others as they were. */
    private static int[] from(int[] flavors, int index, boolean isAlone) {
        IntStream rest = isAlone
                ? IntStream.range(0, flavors.length).filter(i -> i != index)
                : IntStream.range(index + 1, index + flavors.length).map(i -> i % flavors.length);
        return IntStream.concat(IntStream.of(index), rest).map(i -> flavors[i]).toArray();
    }

    private static int indexOf(int[] flavors, int flavor) {
        return IntStream.range(0, flavors.length)
                .filter(i -> flavors[i] == flavor)
                .findFirst()
                .orElse(-1);
    }

    /** Whether it stopped before all was tried, because there are enough or no steps are left. */
    private boolean descend(int at, int[] choice, IntFunction<int[]> wish, int enough) {
        if (at == order.length) {
            found.putIfAbsent(Arrays.stream(choice).boxed().toList(), choice.clone());
            return found.size() >= enough;
        }
        int set = order[at];
        for (int flavor : wish.apply(set)) {
            if (stepsLeft-- <= 0) {
                return true;
            }
            if (claim.take(set, flavor)) {
                choice[set] = flavor;
                boolean stopped = descend(at + 1, choice, wish, enough);
                claim.give(set, flavor);
                if (stopped) {
                    return true;
                }
            }
        }
        return false;
    }
}
