package dev.tutti.allocator.fit;

import dev.tutti.allocator.fleet.FleetNames;
import dev.tutti.model.fleet.TopologyLevels;
import dev.tutti.model.job.PodSet;
import dev.tutti.model.job.TopologySegment;
import dev.tutti.model.job.TopologyWish;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How near the pods of a gang have to be and want to be, in depths: 0 is the cluster, then the levels, widest first, then
 * the node.
 *
 * <p>Without a wish a gang stays in one domain of the boundary, the narrowest level that is crossed only when asked;
 * requiring a wider level, for the job or for one of its sets, is asking. The wish of an only set is the job's wish.
 */
final class Nearness {

    private static final int NOT_SAID = -1;

    /** Depth of the domain wished for; below it pods go where they fit tightest. */
    final int narrowest;
    /** The same for the smallest start of an elastic gang: only what is preferred outweighs more pods. */
    final int narrowestOfLeast;
    /** Depth of the widest domain allowed. */
    final int widest;
    /** The same for the pods of each set alone, where the set has a wish of its own. */
    final int[] setNarrowest;

    final int[] setWidest;
    /** Depth down to which the pods of each set are kept together. */
    final int[] together;
    /** Pods of each segment of each set; 1 for none. */
    final int[] segmentPods;
    /** Depth of the domain that holds a segment; 0 for none. */
    final int[] segmentDepth;
    /** Name of the level that keeps the gang together although it requires nothing; null when nothing or its wish does. */
    final @Nullable String boundary;

    private Nearness(Depths depths, TopologyWish wish, int implied, List<PodSet> sets, boolean only) {
        boolean asked = wish.required() != null || sets.stream().anyMatch(Nearness::asks);
        boundary = asked || depths.boundary == 0 ? null : depths.levels.get(depths.boundary - 1);
        widest = wish.required() == null ? depths.unaskedWidest(sets) : depths.of(wish.required());
        narrowest = depths.wished(wish, widest, Math.max(widest, implied));
        narrowestOfLeast = Math.max(widest, depths.of(wish.preferred()));
        setNarrowest = new int[sets.size()];
        setWidest = new int[sets.size()];
        together = new int[sets.size()];
        segmentPods = new int[sets.size()];
        segmentDepth = new int[sets.size()];
        for (int s = 0; s < sets.size(); s++) {
            TopologyWish own = only ? TopologyWish.NONE : sets.get(s).topology();
            setWidest[s] =
                    own.required() != null ? depths.of(own.required()) : wish.required() == null ? depths.boundary : 0;
            setNarrowest[s] = depths.wished(own, setWidest[s], setWidest[s]);
            together[s] = depths.wished(own, setWidest[s], narrowest);
            TopologySegment segment = sets.get(s).segment();
            segmentPods[s] = segment == null ? 1 : segment.pods();
            segmentDepth[s] = segment == null ? 0 : depths.of(segment.level());
        }
    }

    /** No wish at all, not even the boundary's. */
    private Nearness(int sets) {
        boundary = null;
        widest = 0;
        narrowest = 0;
        narrowestOfLeast = 0;
        setNarrowest = new int[sets];
        setWidest = new int[sets];
        together = new int[sets];
        segmentPods = new int[sets];
        Arrays.fill(segmentPods, 1);
        segmentDepth = new int[sets];
    }

    static Nearness none(int sets) {
        return new Nearness(sets);
    }

    /**
     * Translates wishes; null when one names a level that is not configured.
     *
     * @param implied depth of the domain that a gang without a wish prefers
     */
    static @Nullable Nearness of(FleetNames names, TopologyWish job, int implied, List<PodSet> sets) {
        Depths depths = new Depths(names.levels(), names.boundary());
        boolean known = depths.knows(job) && sets.stream().allMatch(depths::knows);
        if (!known) {
            return null;
        }
        boolean only = sets.size() == 1;
        TopologyWish wish = only ? depths.narrower(job, sets.get(0).topology()) : job;
        return new Nearness(depths, wish, implied, sets, only);
    }

    /** Whether any wish can keep the gang from starting. */
    boolean isBound() {
        return widest > 0
                || Arrays.stream(setWidest).anyMatch(depth -> depth > 0)
                || Arrays.stream(segmentPods).anyMatch(pods -> pods > 1);
    }

    private static boolean asks(PodSet set) {
        return set.topology().required() != null || set.segment() != null;
    }

    private record Depths(List<String> levels, int boundary) {

        /** Depth of the level, {@link Nearness#NOT_SAID} for null. */
        int of(@Nullable String level) {
            if (level == null) {
                return NOT_SAID;
            }
            if (level.equals(TopologyLevels.NODE_LEVEL)) {
                return levels.size() + 1;
            }
            return level.equals(TopologyLevels.CLUSTER_LEVEL) ? 0 : levels.indexOf(level) + 1;
        }

        private boolean knows(@Nullable String level) {
            return level == null || level.equals(TopologyLevels.CLUSTER_LEVEL) || of(level) > 0;
        }

        boolean knows(TopologyWish wish) {
            return knows(wish.required()) && knows(wish.preferred());
        }

        boolean knows(PodSet set) {
            return knows(set.topology())
                    && (set.segment() == null || knows(set.segment().level()));
        }

        TopologyWish narrower(TopologyWish a, TopologyWish b) {
            return new TopologyWish(narrower(a.required(), b.required()), narrower(a.preferred(), b.preferred()));
        }

        private @Nullable String narrower(@Nullable String a, @Nullable String b) {
            return of(b) > of(a) ? b : a;
        }

        int unaskedWidest(List<PodSet> sets) {
            return sets.stream()
                    .map(set -> set.topology().required())
                    .mapToInt(this::of)
                    .filter(depth -> depth != NOT_SAID)
                    .reduce(boundary, Math::min);
        }

        /** What is preferred, if it is no wider than what is required; else as near as it goes; else what is implied. */
        int wished(TopologyWish wish, int required, int implied) {
            int preferred = of(wish.preferred());
            if (preferred >= required) {
                return preferred;
            }
            return of(wish.required()) > 0 ? levels.size() + 1 : implied;
        }
    }
}
