package dev.tutti.control.view;

import dev.tutti.allocator.board.PodShape;
import dev.tutti.allocator.policy.Mix;
import dev.tutti.allocator.policy.RecentMix;
import dev.tutti.model.JobId;
import dev.tutti.model.job.PodSet;
import java.util.Collection;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The jobs submitted last, each once, and what their pods ask for. It decides which of them the mix is made of, and that
 * by these jobs alone: whoever was told of the same ones, in any order, any number of times and since whenever, tells the
 * same mix. So a new leader ranks nodes as the last one did.
 *
 * <p>The mix moves in steps, so that costs stay the same for a while. As long as every job there ever was is kept, it is
 * made of the first 1, 2, 4, 8 … of them. Later each step ends with a milestone: a job whose id says so, about one of
 * {@link #JOBS_A_STEP}.
 */
final class RecentJobs {

    private static final int JOBS_A_STEP = 256;

    /** The golden ratio in 64 bits: spreads ids that differ little, too. */
    private static final long SPREAD = 0x9E3779B97F4A7C15L;

    private final TreeMap<Key, List<Part>> jobs = new TreeMap<>();
    private final TreeSet<Key> milestones = new TreeSet<>();
    private Mix mix = Mix.UNKNOWN;
    private @Nullable Step told;
    private boolean changed;

    /** Takes a job in; one that is known, or older than all that are kept, changes nothing. */
    void take(JobId job, long submittedAtMicros, List<PodSet> podSets) {
        Key key = new Key(submittedAtMicros, job);
        boolean tooOld = isFull() && key.compareTo(jobs.firstKey()) < 0;
        if (tooOld || jobs.containsKey(key)) {
            return;
        }
        if (isFull()) {
            milestones.remove(jobs.pollFirstEntry().getKey());
        }
        jobs.put(key, podSets.stream().map(Part::of).toList());
        if (key.isMilestone()) {
            milestones.add(key);
        }
        changed = true;
        if (told != null && told.holds(key)) {
            told = null;
        }
    }

    /** What they ask for, as of the last step; the same object for as long as it is the same. */
    Mix mix() {
        if (changed) {
            changed = false;
            Step step = isFull() ? betweenMilestones() : first(Integer.highestOneBit(jobs.size()));
            if (!step.equals(told)) {
                told = step;
                mix = mixOf(jobs.subMap(step.oldest, true, step.newest, true).values());
            }
        }
        return mix;
    }

    private boolean isFull() {
        return jobs.size() == ChangeFeed.RECENT_JOBS;
    }

    private Step first(int count) {
        Iterator<Key> keys = jobs.keySet().iterator();
        for (int i = 1; i < count; i++) {
            keys.next();
        }
        return new Step(jobs.firstKey(), keys.next());
    }

    /** From the oldest milestone to the newest; all where there are no two. */
    private Step betweenMilestones() {
        return milestones.size() < 2
                ? new Step(jobs.firstKey(), jobs.lastKey())
                : new Step(milestones.first(), milestones.last());
    }

    private static Mix mixOf(Collection<List<Part>> jobs) {
        RecentMix recent = new RecentMix();
        for (List<Part> parts : jobs) {
            parts.forEach(part -> recent.add(part.shape, part.flavors, part.pods));
        }
        return recent.mix();
    }

    /** What is kept of a pod set. */
    private record Part(PodShape shape, List<String> flavors, int pods) {

        static Part of(PodSet set) {
            return new Part(PodShape.of(set), set.flavors(), set.count());
        }
    }

    /** The jobs the mix is made of. */
    private record Step(Key oldest, Key newest) {

        boolean holds(Key key) {
            return key.compareTo(oldest) >= 0 && key.compareTo(newest) <= 0;
        }
    }

    private record Key(long submittedAtMicros, JobId job) implements Comparable<Key> {

        private static final Comparator<Key> OLDEST_FIRST =
                Comparator.comparingLong(Key::submittedAtMicros).thenComparing(Key::job);

        @Override
        public int compareTo(Key other) {
            return OLDEST_FIRST.compare(this, other);
        }

        boolean isMilestone() {
            long id = job.value().getMostSignificantBits() ^ job.value().getLeastSignificantBits();
            return ((id * SPREAD) >>> Integer.SIZE) % JOBS_A_STEP == 0;
        }
    }
}
