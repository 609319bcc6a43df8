package dev.tutti.simulator.queues;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A random tree of queues and random jobs, the same for the same seed everywhere: 50 queues in three levels (5, 15 and 30
 * leaves), whose leaves were promised all GPUs, some ten times what others were; some borrow or lend only so much. Half of the jobs come to any leaf, half to those that were promised most, in
 * bursts, a fifth more than the fleet can do meanwhile.
 *
 * @param queues the tree
 * @param jobs in order of submit
 */
public record QueueWorkload(List<QueueNode> queues, List<QueuedJob> jobs) {

    private static final int TOPS = 5;
    private static final int MIDDLES = 15;
    private static final int LEAVES = 30;
    /** GPUs of a job, and how many of a hundred jobs have so many. */
    private static final int[] SIZES = {1, 2, 4, 8, 16, 32, 64, 128};

    private static final int[] OF_HUNDRED = {30, 12, 12, 24, 12, 6, 3, 1};
    private static final int[] PARTS = {1, 1, 1, 2, 2, 4, 16};
    private static final int[] PRIORITIES = {0, 0, 0, 0, 0, 0, 0, 0, 5, 10};
    private static final int SHORTEST_SECONDS = 300;
    private static final int TIMES_LONGEST = 96;
    private static final int BURSTS = 4;
    private static final int BURST_SECONDS = 3_600;
    private static final int LOAD_PERCENT = 120;
    private static final int MOST_WEIGHT = 4;
    private static final int LIMITED_PERCENT = 30;

    public QueueWorkload {
        queues = List.copyOf(queues);
        jobs = List.copyOf(jobs);
    }

    /**
     * Makes it.
     *
     * @param jobs how many, 1 and up
     * @param gpus of the fleet, a multiple of 8
     */
    public static QueueWorkload random(long seed, int jobs, int gpus) {
        SplittableRandom random = new SplittableRandom(seed);
        List<QueueNode> queues = tree(random, gpus);
        return new QueueWorkload(queues, jobs(random, queues, jobs, gpus));
    }

    /** GPUs of all. */
    public int gpus() {
        return queues.stream()
                .filter(queue -> queue.parent() < 0)
                .mapToInt(QueueNode::gpus)
                .sum();
    }

    /** The same queues with the jobs as {@code change} makes them. */
    public QueueWorkload with(UnaryOperator<QueuedJob> change) {
        return new QueueWorkload(queues, jobs.stream().map(change).toList());
    }

    private static List<QueueNode> tree(SplittableRandom random, int gpus) {
        int[] parents = new int[TOPS + MIDDLES + LEAVES];
        for (int q = 0; q < parents.length; q++) {
            int below = q < TOPS ? 0 : q < TOPS + MIDDLES ? TOPS : MIDDLES;
            int first = q < TOPS + MIDDLES ? 0 : TOPS;
            int number = q - first - below;
            // Everybody above has one below; the others go where they fall.
            parents[q] = below == 0 ? -1 : first + (number < below ? number : random.nextInt(below));
        }
        int[] nominal = new int[parents.length];
        int[] leaves = divided(random, gpus);
        System.arraycopy(leaves, 0, nominal, TOPS + MIDDLES, LEAVES);
        for (int q = parents.length - 1; q >= TOPS; q--) {
            nominal[parents[q]] += nominal[q];
        }
        List<QueueNode> queues = new ArrayList<>();
        for (int q = 0; q < parents.length; q++) {
            queues.add(new QueueNode(
                    "queue-" + q,
                    parents[q],
                    nominal[q],
                    1 + random.nextInt(MOST_WEIGHT),
                    q < TOPS ? null : limit(random, 2 * nominal[q]),
                    q < TOPS ? null : limit(random, nominal[q])));
        }
        return queues;
    }

    private static @Nullable Integer limit(SplittableRandom random, int most) {
        boolean isLimited = random.nextInt(100) < LIMITED_PERCENT;
        int limit = random.nextInt(most + 1);
        return isLimited ? limit : null;
    }

    /** All GPUs in parts; what does not divide goes to the first. */
    private static int[] divided(SplittableRandom random, int gpus) {
        int[] parts = random.ints(LEAVES, 0, PARTS.length).map(i -> PARTS[i]).toArray();
        int sum = 0;
        for (int part : parts) {
            sum += part;
        }
        int[] divided = new int[LEAVES];
        int left = gpus;
        for (int i = 0; i < LEAVES; i++) {
            divided[i] = gpus * parts[i] / sum;
            left -= divided[i];
        }
        divided[0] += left;
        return divided;
    }

    private static List<QueuedJob> jobs(SplittableRandom random, List<QueueNode> queues, int count, int gpus) {
        int[] most = new int[queues.size()];
        for (int q = TOPS + MIDDLES; q < most.length; q++) {
            most[q] = IdealDivision.most(queues, q);
        }
        List<QueuedJob> untimed = new ArrayList<>();
        long gpuSeconds = 0;
        while (untimed.size() < count) {
            int leaf = random.nextBoolean()
                    ? TOPS + MIDDLES + random.nextInt(LEAVES)
                    : owner(queues, random.nextInt(gpus));
            if (most[leaf] > 0) {
                QueuedJob job = job(random, leaf, most[leaf]);
                untimed.add(job);
                gpuSeconds += job.gpus() * job.seconds();
            }
        }
        return timed(random, untimed, Math.max(1, gpuSeconds * 100 / gpus / LOAD_PERCENT));
    }

    /** The leaf to which a GPU was promised. */
    private static int owner(List<QueueNode> queues, int gpu) {
        int leaf = TOPS + MIDDLES;
        for (int left = gpu; left >= queues.get(leaf).gpus(); leaf++) {
            left -= queues.get(leaf).gpus();
        }
        return leaf;
    }

    private static QueuedJob job(SplittableRandom random, int leaf, int most) {
        int size = size(random.nextInt(100));
        while (size > most) {
            size /= 2;
        }
        long seconds = (long) (SHORTEST_SECONDS * StrictMath.pow(TIMES_LONGEST, random.nextDouble()));
        long limit = seconds + random.nextLong(2 * seconds);
        return new QueuedJob(leaf, 0, size, seconds, limit, PRIORITIES[random.nextInt(PRIORITIES.length)]);
    }

    private static int size(int ofHundred) {
        int left = ofHundred;
        int i = 0;
        while (left >= OF_HUNDRED[i]) {
            left -= OF_HUNDRED[i++];
        }
        return SIZES[i];
    }

    /** Every leaf submits in bursts, each somewhere in the time and an hour long. */
    private static List<QueuedJob> timed(SplittableRandom random, List<QueuedJob> untimed, long seconds) {
        long[][] bursts = new long[TOPS + MIDDLES + LEAVES][];
        for (int q = 0; q < bursts.length; q++) {
            bursts[q] = random.longs(BURSTS, 0, seconds).toArray();
        }
        List<QueuedJob> timed = new ArrayList<>();
        for (QueuedJob job : untimed) {
            long at = bursts[job.queue()][random.nextInt(BURSTS)] + random.nextInt(BURST_SECONDS);
            timed.add(new QueuedJob(job.queue(), at, job.gpus(), job.seconds(), job.limitSeconds(), job.priority()));
        }
        timed.sort(Comparator.comparingLong(QueuedJob::atSeconds));
        return timed;
    }
}
