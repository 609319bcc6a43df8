package dev.tutti.simulator.queues;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Divisions worked out by hand, and random ones against pouring out crumb by crumb. */
class IdealDivisionTest {

    private static QueueNode queue(int parent, int gpus, int weight) {
        return new QueueNode("q", parent, gpus, weight);
    }

    private static QueueNode limited(int gpus, @Nullable Integer borrowing, @Nullable Integer lending) {
        return new QueueNode("q", -1, gpus, 1, borrowing, lending);
    }

    private static List<String> divided(List<QueueNode> queues, long... wanted) {
        List<String> given = new ArrayList<>();
        for (Fraction one : IdealDivision.of(queues, wanted)) {
            given.add(one.over() + (one.under().intValueExact() == 1 ? "" : "/" + one.under()));
        }
        return given;
    }

    @Test
    void whatOneDoesNotWantTheOtherBorrows() {
        assertThat(divided(List.of(queue(-1, 8, 1), queue(-1, 8, 1)), 20, 2)).containsExactly("14", "2");
    }

    @Test
    void everybodyGetsWhatHeWasPromisedHoweverMuchOthersWant() {
        assertThat(divided(List.of(queue(-1, 8, 1), queue(-1, 8, 1_000)), 8, 99))
                .containsExactly("8", "8");
    }

    @Test
    void surplusGoesByWeight() {
        List<QueueNode> queues = List.of(queue(-1, 4, 1), queue(-1, 4, 2), queue(-1, 8, 1));

        assertThat(divided(queues, 20, 20, 2)).containsExactly("6", "8", "2");
        assertThat(divided(queues, 20, 20, 4)).containsExactly("16/3", "20/3", "4");
    }

    @Test
    void whoWantsLessThanHisPartLeavesTheRestToTheOthers() {
        assertThat(divided(List.of(queue(-1, 0, 1), queue(-1, 0, 1), queue(-1, 10, 1)), 2, 20, 0))
                .containsExactly("2", "8", "0");
    }

    @Test
    void nobodyBorrowsMoreThanHeMay() {
        assertThat(divided(List.of(limited(4, 1, null), limited(4, null, null), limited(8, null, null)), 20, 20, 0))
                .containsExactly("5", "11", "0");
    }

    @Test
    void whatIsNotLentStaysIdle() {
        assertThat(divided(List.of(limited(4, null, null), limited(8, null, 2)), 20, 1))
                .containsExactly("6", "1");
    }

    @Test
    void surplusIsDividedLevelByLevel() {
        // 12 are over. The first side has weight 1, the second 3; below them they go on by weight.
        List<QueueNode> queues = List.of(
                queue(-1, 4, 1),
                queue(-1, 4, 3),
                queue(-1, 12, 1),
                queue(0, 2, 1),
                queue(0, 2, 2),
                queue(1, 4, 1),
                queue(2, 12, 1));

        assertThat(divided(queues, 0, 0, 0, 50, 50, 50, 0)).containsExactly("7", "13", "0", "3", "4", "13", "0");
    }

    @Test
    void whatALeafCouldHaveAloneIsBoundOnItsWholeWayUp() {
        List<QueueNode> queues = List.of(
                new QueueNode("top", -1, 8, 1, 3, null), queue(-1, 16, 1), queue(0, 8, 1), limited(0, null, null));

        assertThat(IdealDivision.most(queues, 2)).isEqualTo(11);
        assertThat(IdealDivision.most(queues, 1)).isEqualTo(24);
    }

    /** So many crumbs are a GPU. */
    private static final int CRUMBS = 60;

    @Test
    void randomTreesAreDividedAsCrumbByCrumb() {
        for (int seed = 0; seed < 300; seed++) {
            Random random = new Random(seed);
            List<QueueNode> queues = tree(random);
            long[] wanted = new long[queues.size()];
            for (int q = 0; q < wanted.length; q++) {
                wanted[q] = random.nextInt(3) == 0 ? 0 : random.nextInt(16);
            }
            Fraction[] exact = IdealDivision.of(queues, wanted);
            long[] crumbs = new Crumbs(queues, wanted).pour();
            for (int q = 0; q < wanted.length; q++) {
                assertThat((double) crumbs[q])
                        .as("seed %d, queue %d of %s, wanted %s", seed, q, queues, wanted)
                        .isCloseTo(exact[q].toDouble() * CRUMBS, org.assertj.core.data.Offset.offset((double)
                                queues.size()));
            }
        }
    }

    private static List<QueueNode> tree(Random random) {
        int tops = 1 + random.nextInt(3);
        int below = tops + random.nextInt(6);
        int[] parents = IntStream.range(0, below)
                .map(q -> q < tops ? -1 : random.nextInt(q))
                .toArray();
        int[] gpus = new int[below];
        for (int q = below - 1; q >= 0; q--) {
            // What a queue has is what those below were promised, and more.
            gpus[q] += random.nextInt(5);
            if (parents[q] >= 0) {
                gpus[parents[q]] += gpus[q];
            }
        }
        List<QueueNode> queues = new ArrayList<>();
        for (int q = 0; q < below; q++) {
            Integer borrowing = random.nextInt(3) == 0 ? random.nextInt(6) : null;
            Integer lending = random.nextInt(3) == 0 ? random.nextInt(6) : null;
            queues.add(new QueueNode("q" + q, parents[q], gpus[q], 1 + random.nextInt(4), borrowing, lending));
        }
        return queues;
    }

    /** The next crumb always goes to whoever has least above his promise for his weight, level by level. */
    private static final class Crumbs {
        private final List<QueueNode> queues = new ArrayList<>();
        private final long[] wanted;
        private final long[] held;

        Crumbs(List<QueueNode> given, long[] wanted) {
            for (QueueNode q : given) {
                Integer borrowing = q.borrowingLimit() == null ? null : CRUMBS * q.borrowingLimit();
                Integer lending = q.lendingLimit() == null ? null : CRUMBS * q.lendingLimit();
                queues.add(new QueueNode(q.name(), q.parent(), CRUMBS * q.gpus(), q.weight(), borrowing, lending));
            }
            this.wanted = wanted;
            held = new long[wanted.length];
        }

        long[] pour() {
            while (give(-1)) {
                // One more.
            }
            Claims claims = new Claims(queues, held);
            return IntStream.range(0, held.length).mapToLong(claims::of).toArray();
        }

        private boolean give(int above) {
            List<Integer> below = IntStream.range(0, held.length)
                    .filter(q -> queues.get(q).parent() == above)
                    .boxed()
                    .sorted((one, other) -> Double.compare(share(one), share(other)))
                    .toList();
            return below.isEmpty() ? take(above) : below.stream().anyMatch(this::give);
        }

        private double share(int q) {
            long over = new Claims(queues, held).of(q) - queues.get(q).gpus();
            return (double) Math.max(0, over) / queues.get(q).weight();
        }

        private boolean take(int leaf) {
            held[leaf]++;
            boolean may = held[leaf] <= CRUMBS * wanted[leaf] && new Claims(queues, held).isAllowed();
            held[leaf] -= may ? 0 : 1;
            return may;
        }
    }
}
