package dev.tutti.control.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.allocator.board.PodShape;
import dev.tutti.allocator.policy.Mix;
import dev.tutti.allocator.policy.Mix.Ask;
import dev.tutti.model.JobId;
import dev.tutti.model.job.GpuRequest;
import dev.tutti.model.job.PodSet;
import dev.tutti.model.job.PodTemplate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RecentJobsTest {

    private static final int KEPT = ChangeFeed.RECENT_JOBS;

    private record Job(JobId id, long at, List<PodSet> podSets) {}

    private final RecentJobs recent = new RecentJobs();

    @Test
    void countsEachPodOfEachSetByWhatItTakesAndWhereItMayRun() {
        PodSet head = set(new GpuRequest.None(), 1, 4_000, 8_192);
        PodSet worker = set(new GpuRequest.Whole(8), 16, 64_000, 1_024, "h100", "a100");
        recent.take(id(1), 1, List.of(head, worker));
        assertThat(recent.mix().asks())
                .containsExactly(
                        new Ask(new PodShape(0, 0, 4_000, 8_192), List.of(), 1),
                        new Ask(new PodShape(8, 1_000, 64_000, 1_024), List.of("h100", "a100"), 16));
    }

    @Test
    void knowsNothingBeforeSixteenPodsCame() {
        recent.take(id(1), 1, List.of(share(500, 15)));
        assertThat(recent.mix()).isSameAs(Mix.UNKNOWN);
        recent.take(id(2), 2, List.of(share(500, 1)));
        assertThat(recent.mix().asks()).extracting(Ask::pods).containsExactly(16);
    }

    @Test
    void aJobThatComesAgainIsNotCountedAgain() {
        for (int i = 0; i < 100; i++) {
            recent.take(id(1), 1, List.of(share(500, 20)));
        }
        assertThat(recent.mix().asks()).extracting(Ask::pods).containsExactly(20);
    }

    @Test
    void whatWasTakenInLateCountsWhereItBelongs() {
        take(recent, List.of(job(1, share(500, 20)), job(3, share(250, 20))));
        recent.take(id(2), 2, List.of(share(125, 20)));
        assertThat(recent.mix().asks()).extracting(ask -> ask.shape().milli()).containsExactly(500, 125);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 17, 300, 4_095, 4_096, 4_097, 9_000})
    void whoeverHearsOfTheSameJobsTellsTheSameMix(int count) {
        for (int seed = 0; seed < 5; seed++) {
            Random random = new Random(seed);
            List<Job> all = jobs(count, random);
            RecentJobs began = new RecentJobs();
            take(began, all.subList(Math.max(0, count - KEPT), count));

            RecentJobs since = new RecentJobs();
            for (Job job : shuffledAtHand(all, random)) {
                take(since, List.of(job, all.get(random.nextInt(1 + (int) job.at))));
                since.mix();
            }

            assertThat(since.mix()).as("seed %d", seed).isEqualTo(began.mix());
        }
    }

    @Test
    void theMixMovesInStepsAndFollowsWhatComes() {
        Random random = new Random(7);
        List<Job> all = jobs(5 * KEPT, random);
        int earlySteps = steps(all.subList(0, KEPT - 1));
        assertThat(earlySteps).isBetween(5, 13);
        int laterSteps = steps(all.subList(KEPT - 1, all.size()));
        // About one job of 256 ends a step, at either end of what is kept.
        assertThat(laterSteps).isBetween(4 * KEPT / 512, 4 * KEPT / 64);
        assertThat(recent.mix().asks().stream().mapToInt(Ask::pods).sum()).isGreaterThan(KEPT / 2);
    }

    @Test
    void idsThatCountUpHaveMilestonesToo() {
        int steps = 0;
        Mix before = Mix.UNKNOWN;
        for (int i = 0; i < 3 * KEPT; i++) {
            recent.take(new JobId(new UUID(0x7000, i)), i, List.of(share(1 + i % 97, 1)));
            steps += recent.mix() == before || i < KEPT ? 0 : 1;
            before = recent.mix();
        }
        assertThat(steps).isBetween(2 * KEPT / 512, 2 * KEPT / 64);
    }

    @Test
    void aHugeGangDoesNotMakeTheOthersForgotten() {
        List<Job> small = jobs(64, new Random(1));
        take(recent, small);
        int kinds = recent.mix().asks().size();
        for (int i = 64; i < 128; i++) {
            recent.take(id(i), i, List.of(i == 64 ? set(new GpuRequest.Whole(8), 10_000, 0, 0) : share(1, 10)));
        }
        assertThat(recent.mix().asks()).hasSizeGreaterThanOrEqualTo(kinds);
    }

    private int steps(List<Job> jobs) {
        Set<Mix> told = Collections.newSetFromMap(new IdentityHashMap<>());
        for (Job job : jobs) {
            recent.take(job.id, job.at, job.podSets);
            told.add(recent.mix());
        }
        return told.size();
    }

    /** Each job somewhat earlier or later than its turn, as transactions commit. */
    private static List<Job> shuffledAtHand(List<Job> jobs, Random random) {
        Map<Job, Double> turn = new HashMap<>();
        jobs.forEach(job -> turn.put(job, job.at + 40 * random.nextDouble()));
        List<Job> shuffled = new ArrayList<>(jobs);
        shuffled.sort(Comparator.comparing(turn::get));
        assertThat(new HashSet<>(shuffled)).hasSameSizeAs(jobs);
        return shuffled;
    }

    private static void take(RecentJobs recent, List<Job> jobs) {
        jobs.forEach(job -> recent.take(job.id, job.at, job.podSets));
    }

    private static List<Job> jobs(int count, Random random) {
        List<Job> jobs = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            jobs.add(new Job(
                    new JobId(new UUID(0x7000L | (long) i << 16, random.nextLong() | Long.MIN_VALUE)),
                    i,
                    List.of(share(1 + random.nextInt(40), 1 + random.nextInt(3)))));
        }
        return jobs;
    }

    private static Job job(long at, PodSet set) {
        return new Job(id(at), at, List.of(set));
    }

    private static JobId id(long number) {
        return new JobId(new UUID(1, number));
    }

    private static PodSet share(int milli, int pods) {
        return set(new GpuRequest.Share(milli), pods, 0, 0);
    }

    private static PodSet set(GpuRequest gpus, int pods, long cpuMilli, long memoryMib, String... flavors) {
        PodTemplate template = new PodTemplate("image", List.of(), List.of(), Map.of());
        return new PodSet("worker", pods, pods, gpus, List.of(flavors), cpuMilli, memoryMib, template);
    }
}
