package dev.tutti.store.work;

import dev.tutti.control.read.QueueQueries;
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

    private static final String LEAVES = """
            SELECT q.path FROM queues q
            WHERE q.removed_at IS NULL
              AND NOT EXISTS (SELECT 1 FROM queues c WHERE c.parent_id = q.id AND c.removed_at IS NULL)
            ORDER BY q.path LIMIT :rows""";

    private final Map<String, Found> byName = new HashMap<>();

    /** Some leaves, to be given instead of what is none. */
    private List<String> leaves = List.of();

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
        boolean allAreLeaves = names.stream().allMatch(queues::isLeaf);
        if (!allAreLeaves) {
            queues.leaves = sql.sql(LEAVES)
                    .param("rows", QueueQueries.SHOWN + 1)
                    .query(String.class)
                    .list();
        }
        return queues;
    }

    private boolean isLeaf(String name) {
        Found queue = byName.get(name);
        return queue != null && !queue.divided();
    }

    /** One list per job, in order; empty for a job whose queue is a leaf. */
    List<List<Violation>> violations(List<JobSpec> specs) {
        return specs.stream().map(spec -> violations(spec.queue())).toList();
    }

    private List<Violation> violations(String name) {
        Found queue = byName.get(name);
        if (queue == null) {
            return List.of(new Violation("queue", QueueQueries.unknown(name, leaves)));
        }
        return queue.divided() ? List.of(new Violation("queue", QueueQueries.notALeaf(name, leaves))) : List.of();
    }

    long id(JobSpec spec) {
        Found queue = byName.get(spec.queue());
        if (queue == null) {
            throw new IllegalStateException("queue " + spec.queue() + " was not found before");
        }
        return queue.id();
    }

    /** The queue's id; -1, which no queue has, when it is not there. */
    long idOrNone(JobSpec spec) {
        Found queue = byName.get(spec.queue());
        return queue == null ? -1 : queue.id();
    }

    private static boolean isId(String name) {
        return !name.isEmpty() && name.length() <= ID_DIGITS && name.chars().allMatch(c -> c >= '0' && c <= '9');
    }

    private record Found(long id, String path, boolean divided) {}
}
