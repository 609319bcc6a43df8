package dev.tutti.testkit.memory;

import dev.tutti.control.Actor;
import dev.tutti.control.PastBook;
import dev.tutti.model.QueueId;
import dev.tutti.model.queue.PastShare;
import java.util.Map;

final class MemoryPastBook implements PastBook {

    private final MemoryStore store;

    MemoryPastBook(MemoryStore store) {
        this.store = store;
    }

    @Override
    public void remember(Map<QueueId, PastShare> pasts, Actor.Leader leader) {
        store.check(leader);
        pasts.forEach((id, past) -> {
            Rows.Queue queue = store.queues.get(id.value());
            if (queue != null && !queue.removed && queue.past.atMicros() < past.atMicros()) {
                queue.past = past;
                store.stamp(queue);
            }
        });
    }
}
