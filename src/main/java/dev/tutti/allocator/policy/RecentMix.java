package dev.tutti.allocator.policy;

import dev.tutti.allocator.board.PodShape;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Counts what pods ask for as they arrive, and tells it in steps: after 16 pods, then whenever four times as many are known,
 * at least every {@link #STEP} pods, so that costs stay the same for a while. The past fades: counts are halved after
 * {@link #REMEMBERED} pods. Memory is bounded by the number of kinds remembered. Not safe for use by two threads.
 */
public final class RecentMix {

    private static final int FIRST_STEP = 16;
    private static final int GROWTH = 3;
    private static final int STEP = 5_000;
    private static final int REMEMBERED = 20_000;
    private static final int KINDS = 4_096;

    private final Map<Kind, Integer> counts = new LinkedHashMap<>();
    private long total;
    private long sinceTold;
    private long told;
    private Mix mix = Mix.UNKNOWN;

    /** Counts pods of one kind, at most {@link #REMEMBERED} at a time. */
    public void add(PodShape shape, List<String> flavors, int pods) {
        int counted = Math.min(pods, REMEMBERED);
        counts.merge(new Kind(shape, flavors), counted, Integer::sum);
        total += counted;
        sinceTold += counted;
        while (total > REMEMBERED || counts.size() > KINDS) {
            fade();
        }
    }

    /** What came lately, as it was known at the last step. */
    public Mix mix() {
        if (sinceTold >= Math.min(Math.max(FIRST_STEP, GROWTH * told), STEP)) {
            List<Mix.Ask> asks = new ArrayList<>(counts.size());
            counts.forEach((kind, pods) -> asks.add(new Mix.Ask(kind.shape, kind.flavors, pods)));
            mix = new Mix(asks);
            told += sinceTold;
            sinceTold = 0;
        }
        return mix;
    }

    private void fade() {
        counts.replaceAll((kind, pods) -> pods / 2);
        counts.values().removeIf(pods -> pods == 0);
        total = counts.values().stream().mapToLong(Integer::longValue).sum();
    }

    private record Kind(PodShape shape, List<String> flavors) {
        Kind {
            flavors = List.copyOf(flavors);
        }
    }
}
