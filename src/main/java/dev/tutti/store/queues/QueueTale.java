package dev.tutti.store.queues;

import dev.tutti.control.Actor;
import dev.tutti.model.queue.QueueRules;
import dev.tutti.model.queue.Quota;
import dev.tutti.model.queue.QuotaResource;
import dev.tutti.model.queue.Quotas;
import dev.tutti.store.stream.Journal;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/** What is told of a changed queue: the same facts as event and as audit row. */
final class QueueTale {

    private QueueTale() {}

    static Map<String, Object> facts(String path, QueueRules rules, long version, Quotas quotas) {
        Map<String, Object> facts = new TreeMap<>(Map.of("path", path, "held", rules.held(), "version", version));
        facts.put("strict", rules.strict());
        facts.put("fairShareWeight", rules.fairShareWeight());
        facts.put("nominalMilli", quotas.amounts(QuotaResource.GPU_MILLI, Quota::nominal));
        facts.put("borrowingLimitMilli", quotas.amounts(QuotaResource.GPU_MILLI, Quota::borrowingLimit));
        facts.put("lendingLimitMilli", quotas.amounts(QuotaResource.GPU_MILLI, Quota::lendingLimit));
        return facts;
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
