package dev.tutti.allocator.quota;

import dev.tutti.allocator.QueueShares;
import dev.tutti.allocator.Snapshot;
import dev.tutti.allocator.board.Layout;
import dev.tutti.model.QueueId;
import dev.tutti.model.job.Lane;
import dev.tutti.model.queue.PastShare;
import java.util.Map;
import java.util.TreeMap;

/** Brings what queues held lately up to date. */
public final class PastShares {

    private static final long PARTS_OF_A_MILLIONTH = 1_000_000;

    private PastShares() {}

    /** Until when the past of these queues is counted, in microseconds since 1970; 0 when none of them has any. */
    public static long countedUntil(QueueShares queues) {
        return queues.queues().values().stream()
                .map(QueueShares.Share::past)
                .filter(past -> !past.isNothing())
                .mapToLong(PastShare::atMicros)
                .max()
                .orElse(0);
    }

    /**
     * The past as of now, of queues that have one or had one: what they hold in the snapshot counts for all the time since.
     *
     * @param sinceMicros until when it is counted, in microseconds since 1970
     * @param nowMicros the time of the snapshot
     */
    public static Map<QueueId, PastShare> of(Snapshot snapshot, HalfLife halfLife, long sinceMicros, long nowMicros) {
        long elapsed = Math.max(0, nowMicros - sinceMicros);
        Layout layout = Layout.of(snapshot.names(), snapshot.fleet());
        QuotaCheck quota = new QuotaCheck(snapshot.queues(), layout);
        Map<QueueId, PastShare> pasts = new TreeMap<>();
        snapshot.queues().queues().forEach((id, share) -> {
            int queue = quota.numberOf(id);
            PastShare before = share.past();
            PastShare after = new PastShare(
                    halfLife.mean(before.surplus(), parts(quota, queue, Lane.YELLOW), elapsed),
                    halfLife.mean(before.red(), parts(quota, queue, Lane.RED), elapsed),
                    nowMicros);
            if (!before.isNothing() || !after.isNothing()) {
                pasts.put(id, after);
            }
        });
        return pasts;
    }

    private static long parts(QuotaCheck quota, int queue, Lane lane) {
        return Math.min(PastShare.WHOLE, quota.shareOf(queue, lane) * PARTS_OF_A_MILLIONTH);
    }
}
