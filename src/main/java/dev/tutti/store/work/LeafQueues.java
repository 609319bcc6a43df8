package dev.tutti.store.work;

import dev.tutti.model.Violation;
import dev.tutti.model.job.JobSpec;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Finds the queues that jobs name, by path or by id, and keeps them from being removed or divided until the transaction
 * ends. A path that reads like an id is a path.
 */
final class LeafQueues {

    private static final int ID_DIGITS = 18;

    private static final String FIND = """
            SELECT q.id, q.path,
                   EXISTS (SELECT 1 FROM queues c WHERE c.parent_id = q.id AND c.removed_at IS NULL) AS divided
            FROM queues q
            WHERE q.removed_at IS NULL AND (q.path = ANY (:paths) OR q.id = ANY (:ids))
            ORDER BY q.id FOR KEY SHARE OF q""";

    private final Map<String, Found> byName = new HashMap<>();

    private LeafQueues() {}

    static LeafQueues find(JdbcClient sql, List<JobSpec> specs) {
        LeafQueues queues = new LeafQueues();
        List<String> names = specs.stream().map(JobSpec::queue).distinct().toList();
        List<Found> found = sql.sql(FIND)
                .param("paths", names.toArray(String[]::new))
                .param(
                        "ids",
                        names.stream()
                                .filter(LeafQueues::isId)
                                .mapToLong(Long::parseLong)
                                .toArray())
                .query((row, n) -> new Found(row.getLong("id"), row.getString("path"), row.getBoolean("divided")))
                .list();
        found.forEach(one -> queues.byName.put(Long.toString(one.id()), one));
        found.forEach(one -> queues.byName.put(one.path(), one));
        return queues;
    }

    /** One list per job, in order; empty for a job whose queue is a leaf. */
    List<List<Violation>> violations(List<JobSpec> specs) {
        return specs.stream().map(spec -> violations(spec.queue())).toList();
    }

    private List<Violation> violations(String name) {
        Found queue = byName.get(name);
        if (queue == null) {
            return List.of(new Violation("queue", "there is no queue \"" + name + "\""));
        }
        return queue.divided()
                ? List.of(new Violation("queue", "\"" + name + "\" is not a leaf; jobs wait only in leaves"))
                : List.of();
    }

    long id(JobSpec spec) {
        Found queue = byName.get(spec.queue());
        if (queue == null) {
            throw new IllegalStateException("queue " + spec.queue() + " was not found before");
        }
        return queue.id();
    }

    private static boolean isId(String name) {
        return !name.isEmpty() && name.length() <= ID_DIGITS && name.chars().allMatch(c -> c >= '0' && c <= '9');
    }

    private record Found(long id, String path, boolean divided) {}
}
