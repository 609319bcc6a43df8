package dev.tutti.simulator.queues;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * How the GPUs of a fleet would be divided among queues if jobs could be cut into any pieces and moved at any time. Level by
 * level down the tree: everybody gets what he wants of his promise; what is over is poured out by weight, to each as far as
 * he wants more and may borrow; what a queue does not lend stays with it. Exact. It decides nothing about jobs.
 */
final class IdealDivision {

    private static final int POOL = -1;

    private final List<QueueNode> queues;
    private final List<List<Integer>> below = new ArrayList<>();
    private final List<Integer> tops = new ArrayList<>();
    /** What a queue claims when it gets all it wants and may have. */
    private final long[] wants;

    private final Fraction[] given;

    private IdealDivision(List<QueueNode> queues, long[] wanted) {
        this.queues = queues;
        wants = new long[queues.size()];
        given = new Fraction[queues.size()];
        queues.forEach(queue -> below.add(new ArrayList<>()));
        for (int q = 0; q < queues.size(); q++) {
            below(queues.get(q).parent()).add(q);
        }
        for (int q = queues.size() - 1; q >= 0; q--) {
            long all = below(q).isEmpty()
                    ? wanted[q]
                    : below(q).stream().mapToLong(this::mostTaken).sum();
            wants[q] = Math.min(all, queues.get(q).ceiling());
        }
    }

    /**
     * Divides.
     *
     * @param queues those below are promised no more together than the one above
     * @param wanted what the jobs of each leaf hold and wait for; of queues above it is ignored
     * @return for each queue what it claims; for a leaf that is what its jobs get
     */
    static Fraction[] of(List<QueueNode> queues, long[] wanted) {
        IdealDivision division = new IdealDivision(queues, wanted);
        long all = division.tops.stream().mapToLong(q -> queues.get(q).gpus()).sum();
        division.divide(division.tops, Fraction.of(all));
        return division.given;
    }

    private List<Integer> below(int queue) {
        return queue == POOL ? tops : below.get(queue);
    }

    /** What a queue takes from the one above when it gets all it wants: at least what it keeps. */
    private long mostTaken(int queue) {
        return Math.max(wants[queue], queues.get(queue).kept());
    }

    /** What it takes in any case: what it wants of its promise, or keeps. */
    private long leastTaken(int queue) {
        QueueNode node = queues.get(queue);
        return Math.max(Math.min(wants[queue], node.gpus()), node.kept());
    }

    private void divide(List<Integer> siblings, Fraction all) {
        long least = siblings.stream().mapToLong(this::leastTaken).sum();
        Fraction level = level(siblings, all.minus(Fraction.of(least)));
        for (int q : siblings) {
            Fraction more = level.times(queues.get(q).weight()).min(Fraction.of(mostTaken(q) - leastTaken(q)));
            given[q] = Fraction.of(leastTaken(q)).plus(more).min(Fraction.of(wants[q]));
            divide(below(q), given[q]);
        }
    }

    /** How high what is over stands in each, for each unit of weight: those who want least are full first. */
    private Fraction level(List<Integer> siblings, Fraction over) {
        List<Integer> open = new ArrayList<>(siblings);
        open.sort(Comparator.comparing(this::fullAt));
        Fraction left = over;
        long weights = open.stream().mapToLong(q -> queues.get(q).weight()).sum();
        for (int q : open) {
            Fraction level = left.dividedBy(weights);
            if (fullAt(q).compareTo(level) > 0) {
                return level;
            }
            left = left.minus(Fraction.of(mostTaken(q) - leastTaken(q)));
            weights -= queues.get(q).weight();
        }
        return open.isEmpty() ? Fraction.ZERO : fullAt(open.get(open.size() - 1));
    }

    private Fraction fullAt(int queue) {
        return Fraction.of(
                mostTaken(queue) - leastTaken(queue), queues.get(queue).weight());
    }

    /** What a leaf could claim if nobody else wanted anything, in whole GPUs. */
    static int most(List<QueueNode> queues, int leaf) {
        long[] wanted = new long[queues.size()];
        Arrays.fill(wanted, 0);
        wanted[leaf] = Integer.MAX_VALUE;
        Fraction most = of(queues, wanted)[leaf];
        return most.over().divide(most.under()).intValueExact();
    }
}
