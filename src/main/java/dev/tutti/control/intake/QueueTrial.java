package dev.tutti.control.intake;

import dev.tutti.allocator.Allocator;
import dev.tutti.allocator.Plan;
import dev.tutti.allocator.QueueShares;
import dev.tutti.allocator.Snapshot;
import dev.tutti.allocator.WaitingBook;
import dev.tutti.control.view.ChangeFeed;
import dev.tutti.control.view.FleetMirror;
import dev.tutti.model.QueueId;
import dev.tutti.model.fleet.TopologyLevels;
import dev.tutti.model.queue.QueueRules;
import dev.tutti.model.queue.Quotas;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Asks the real engine what a change of a queue would do: two decisions on today's state, one as it is and one with the queue
 * changed, and what differs between them. It reads everything anew each time, because operators ask seldom, and one call at
 * a time, so that many callers need no more memory than one. Writes nothing.
 */
public final class QueueTrial {

    private final ChangeFeed feed;
    private final TopologyLevels levels;
    private final Allocator allocator;

    public QueueTrial(ChangeFeed feed, TopologyLevels levels, Allocator allocator) {
        this.feed = feed;
        this.levels = levels;
        this.allocator = allocator;
    }

    /** What would be otherwise if the queue had these quotas and rules. */
    public QueueForecast change(long queue, Quotas quotas, QueueRules rules) {
        return compare(queues -> queues.computeIfPresent(
                new QueueId(queue),
                (id, share) -> new QueueShares.Share(
                        share.path(), share.parent(), rules, quotas.byKey(), share.used(), share.past())));
    }

    /** What would be otherwise if the queue were gone. */
    public QueueForecast removal(long queue) {
        return compare(queues -> queues.remove(new QueueId(queue)));
    }

    private synchronized QueueForecast compare(Consumer<Map<QueueId, QueueShares.Share>> change) {
        FleetMirror mirror = new FleetMirror(levels);
        mirror.take(feed.since(null));
        Snapshot now = mirror.snapshot();
        Map<QueueId, QueueShares.Share> queues = new HashMap<>(now.queues().queues());
        change.accept(queues);
        Snapshot then = new Snapshot(
                now.revision(),
                now.names(),
                now.fleet(),
                new QueueShares(queues, now.queues().lanes()),
                now.mix());
        return new QueueDifference(mirror, now.gpusOfWholeNodes(), now.queues(), then.queues())
                .of(decide(mirror, now), decide(mirror, then));
    }

    private Plan decide(FleetMirror mirror, Snapshot snapshot) {
        return allocator
                .standing()
                .decide(snapshot, WaitingBook.of(mirror.waiting()), mirror.running(), mirror.nowMicros());
    }
}
