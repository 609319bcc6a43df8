package dev.tutti.store.queues;

import dev.tutti.control.Actor;
import dev.tutti.store.stream.Journal;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/** What is told of a changed queue: the same facts as event and as audit row. */
final class QueueTale {

    private QueueTale() {}

    static Map<String, Object> facts(String path, boolean held, long version, Map<String, Long> nominalMilli) {
        return Map.of("path", path, "held", held, "version", version, "nominalMilli", nominalMilli);
    }

    static void tell(
            JdbcClient sql,
            Actor.Caller caller,
            String action,
            long queue,
            @Nullable Map<String, Object> before,
            @Nullable Map<String, Object> after) {
        Journal journal = new Journal();
        Map<String, Object> facts = after != null ? after : before != null ? before : Map.of();
        journal.event(action, Long.toString(queue), facts);
        journal.audit(caller, action, Long.toString(queue), before, after);
        journal.write(sql);
    }
}
