package dev.tutti.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.testkit.scenario.TestFleet;
import dev.tutti.testkit.scenario.TestJobs;
import dev.tutti.testkit.scenario.TestNode;
import dev.tutti.testkit.scenario.TestQueues;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class PlainBestFitTest {

    private static final int MIXES = 1_000;

    @Test
    @DisplayName("B26 over 1000 random mixes no fewer jobs are placed than by plain best fit")
    void noFewerThanPlainBestFit() {
        int placed = 0;
        for (int seed = 0; seed < MIXES; seed++) {
            Random random = new Random(seed);
            int[] free = random.ints(2 + random.nextInt(7), 0, 9).toArray();
            int[][] jobs = new int[1 + random.nextInt(12)][];
            Arrays.setAll(jobs, i -> new int[] {1 + random.nextInt(4), 1 + random.nextInt(4) * random.nextInt(2)});
            int plain = plainBestFit(free.clone(), jobs);
            int ours = ours(free, jobs);
            assertThat(ours).as("seed " + seed).isGreaterThanOrEqualTo(plain);
            placed += ours;
        }
        assertThat(placed).isGreaterThan(MIXES);
    }

    private static int plainBestFit(int[] free, int[][] jobs) {
        int placed = 0;
        for (int[] job : jobs) {
            int[] before = free.clone();
            int pods = 0;
            while (pods < job[1] && placeOne(free, job[0])) {
                pods++;
            }
            if (pods == job[1]) {
                placed++;
            } else {
                System.arraycopy(before, 0, free, 0, free.length);
            }
        }
        return placed;
    }

    private static boolean placeOne(int[] free, int gpus) {
        int best = -1;
        for (int n = 0; n < free.length; n++) {
            if (free[n] >= gpus && (best < 0 || free[n] < free[best])) {
                best = n;
            }
        }
        if (best >= 0) {
            free[best] -= gpus;
        }
        return best >= 0;
    }

    private static int ours(int[] free, int[][] jobs) {
        List<TestNode> nodes = new ArrayList<>();
        for (int n = 0; n < free.length; n++) {
            nodes.add(TestNode.of("n" + n + " gpus=8 used=" + (8 - free[n])));
        }
        TestQueues queues = new TestQueues();
        List<WaitingJob> waiting = new ArrayList<>();
        for (int[] job : jobs) {
            waiting.add(TestJobs.of("j gpus=" + job[0] + " pods=" + job[1], waiting.size(), queues));
        }
        return new GangAllocator()
                .decide(TestFleet.snapshot(nodes, queues.shares()), waiting, TestJobs.NOW_MICROS)
                .placements()
                .size();
    }
}
