package dev.tutti.allocator.evict;

import dev.tutti.allocator.Plan;
import dev.tutti.allocator.board.Piece;
import dev.tutti.allocator.fit.Resource;
import dev.tutti.allocator.reason.Sentences;
import dev.tutti.model.JobId;
import dev.tutti.model.life.Reason;
import java.util.List;
import java.util.function.ToLongFunction;

/**
 * A place that will be free for a job that waits.
 *
 * @param job the beneficiary
 * @param reason why it waits still
 * @param evictions those that are asked to leave for it now; empty when enough is leaving already
 */
public record Claim(JobId job, Reason reason, List<Plan.Eviction> evictions) {
    public Claim {
        evictions = List.copyOf(evictions);
    }

    /** Of GPUs, or, for pods without any, of CPU: what it needs, and what of that is free already. */
    static Reason waiting(List<Piece> place, List<Piece> kept) {
        boolean gpus = place.stream().anyMatch(piece -> piece.gpuMilli() > 0);
        ToLongFunction<Piece> amount = gpus ? Piece::gpuMilli : Piece::cpuMilli;
        return Sentences.waitingForVictims(
                gpus ? Resource.GPUS : Resource.CPU,
                place.stream().mapToLong(amount).sum(),
                kept.stream().mapToLong(amount).sum());
    }
}
