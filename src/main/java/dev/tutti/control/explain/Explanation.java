package dev.tutti.control.explain;

import dev.tutti.allocator.Finding;
import dev.tutti.model.life.Reason;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Why a job waits, as the engine sees it now.
 *
 * @param startsNow whether the next decision would start it
 * @param verdict why it waits; null when it starts
 * @param positionInLane its place among the waiting jobs of its lane in its queue, from 1; null when it is not considered
 * @param startAt when it starts at the latest; null unless a time is kept for it
 * @param deciders what each that decides says, in order
 * @param blockers who is in its way, at most {@link #SHOWN}
 * @param blockersInAll how many there are
 * @param remedies what would let it start
 * @param isComplete whether everything was tried that there is to try; false when the time was over before
 */
public record Explanation(
        boolean startsNow,
        @Nullable Reason verdict,
        @Nullable Long positionInLane,
        @Nullable Instant startAt,
        List<Finding> deciders,
        List<Blocker> blockers,
        int blockersInAll,
        List<Remedy> remedies,
        boolean isComplete) {

    /** Who is in the way: so many are listed. */
    public static final int SHOWN = 10;

    public Explanation {
        deciders = List.copyOf(deciders);
        blockers = List.copyOf(blockers);
        remedies = List.copyOf(remedies);
    }
}
