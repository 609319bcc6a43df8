package dev.tutti.allocator.quota;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.model.job.Lane;
import dev.tutti.model.queue.PastShare;
import java.util.Arrays;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** The order of turns of random queues. */
class FairShareTest {

    private static final int QUEUES = 6;
    private static final int FLAVORS = 2;
    private static final long[] CAPACITY = {16, 8};

    /** Few different amounts, so that ties are common. */
    private static FairShare random(Random random, boolean[][] columns, boolean[] owed) {
        boolean[] borrows = new boolean[QUEUES];
        int[] parent = new int[QUEUES];
        Arrays.fill(parent, -1);
        FairShare shares = new FairShare(parent, random.ints(QUEUES, 1, 4).toArray(), CAPACITY);
        for (int q = 0; q < QUEUES; q++) {
            shares.remember(q, new PastShare(random.nextInt(3) * 125_000_000_000L, random.nextInt(3), 1));
            for (int c = 0; c < FLAVORS; c++) {
                columns[q][c] = c == 0 || random.nextBoolean();
                int quota = random.nextInt(3) * 2;
                int used = random.nextInt(5);
                owed[q] |= used < quota;
                borrows[q] |= used > quota;
                shares.limit(q, c, quota);
                shares.use(q, c, used, random.nextInt(3));
            }
            owed[q] &= !borrows[q];
        }
        return shares;
    }

    @Property
    void theOrderIsOne(@ForAll long seed, @ForAll Lane lane) {
        boolean[][] columns = new boolean[QUEUES][FLAVORS];
        FairShare shares = random(new Random(seed), columns, new boolean[QUEUES]);
        for (int a = 0; a < QUEUES; a++) {
            for (int b = 0; b < QUEUES; b++) {
                int ab = Integer.signum(shares.compare(a, columns[a], b, columns[b], lane));
                assertThat(Integer.signum(shares.compare(b, columns[b], a, columns[a], lane)))
                        .isEqualTo(-ab);
                for (int c = 0; c < QUEUES; c++) {
                    int bc = Integer.signum(shares.compare(b, columns[b], c, columns[c], lane));
                    int ac = Integer.signum(shares.compare(a, columns[a], c, columns[c], lane));
                    if (ab <= 0 && bc <= 0) {
                        assertThat(ac).as("%d %d %d", a, b, c).isEqualTo(Math.max(-1, Math.min(ab, bc)));
                    }
                }
            }
        }
    }

    @Property
    void thePastOfAQueueThatIsOwedItsPromiseChangesNothing(@ForAll long seed) {
        boolean[][] columns = new boolean[QUEUES][FLAVORS];
        boolean[] owed = new boolean[QUEUES];
        FairShare shares = random(new Random(seed), columns, owed);
        FairShare worse = random(new Random(seed), new boolean[QUEUES][FLAVORS], new boolean[QUEUES]);
        for (int q = 0; q < QUEUES; q++) {
            if (owed[q]) {
                worse.remember(q, new PastShare(PastShare.WHOLE, PastShare.WHOLE, 1));
            }
        }
        for (int a = 0; a < QUEUES; a++) {
            for (int b = 0; b < QUEUES; b++) {
                assertThat(worse.compare(a, columns[a], b, columns[b], Lane.YELLOW))
                        .isEqualTo(shares.compare(a, columns[a], b, columns[b], Lane.YELLOW));
            }
        }
    }

    @Property
    void greenJobsHaveNoPast(@ForAll long seed) {
        boolean[][] columns = new boolean[QUEUES][FLAVORS];
        FairShare shares = random(new Random(seed), columns, new boolean[QUEUES]);
        FairShare worse = random(new Random(seed), new boolean[QUEUES][FLAVORS], new boolean[QUEUES]);
        for (int q = 0; q < QUEUES; q += 2) {
            worse.remember(q, new PastShare(PastShare.WHOLE, PastShare.WHOLE, 1));
        }
        for (int a = 0; a < QUEUES; a++) {
            for (int b = 0; b < QUEUES; b++) {
                assertThat(worse.compare(a, columns[a], b, columns[b], Lane.GREEN))
                        .isEqualTo(shares.compare(a, columns[a], b, columns[b], Lane.GREEN));
            }
        }
    }
}
