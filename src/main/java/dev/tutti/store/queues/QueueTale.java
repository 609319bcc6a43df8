package dev.tutti.store.queues;

import dev.tutti.control.Actor;
import dev.tutti.model.queue.QueueLimits;
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
        facts.put("draining", rules.draining());
        facts.put("strict", rules.strict());
        facts.put("fairShareWeight", rules.fairShareWeight());
        tell(facts, rules.limits());
        tell(facts, "", "Milli", QuotaResource.GPU_MILLI, quotas);
        tell(facts, "cpu.", "Milli", QuotaResource.CPU_MILLI, quotas);
        tell(facts, "memory.", "Mib", QuotaResource.MEMORY_MIB, quotas);
        return facts;
    }

    private static void tell(Map<String, Object> facts, QueueLimits limits) {
        tell(facts, "maxWaitingJobs", limits.maxWaitingJobs());
        tell(facts, "perUser.maxWaitingJobs", limits.userMaxWaitingJobs());
        tell(facts, "maxRunningJobs", limits.maxRunningJobs());
        tell(facts, "perUser.maxRunningJobs", limits.userMaxRunningJobs());
        tell(facts, "perUser.maxGpuMilli", limits.userMaxGpuMilli());
        if (!limits.maxWholeNodes().isEmpty()) {
            facts.put("maxWholeNodes", new TreeMap<>(limits.maxWholeNodes()));
        }
    }

    private static void tell(Map<String, Object> facts, String name, @Nullable Number limit) {
        if (limit != null) {
            facts.put(name, limit);
        }
    }

    /** Of CPU and memory only what there is. */
    private static void tell(
            Map<String, Object> facts, String within, String unit, QuotaResource resource, Quotas quotas) {
        Map<String, Long> nominal = quotas.amounts(resource, Quota::nominal);
        if (within.isEmpty() || !nominal.isEmpty()) {
            facts.put(within + "nominal" + unit, nominal);
            facts.put(within + "borrowingLimit" + unit, quotas.amounts(resource, Quota::borrowingLimit));
            facts.put(within + "lendingLimit" + unit, quotas.amounts(resource, Quota::lendingLimit));
        }
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
