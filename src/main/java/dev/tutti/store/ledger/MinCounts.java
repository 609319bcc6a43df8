package dev.tutti.store.ledger;

import dev.tutti.allocator.Plan.Eviction;
import dev.tutti.model.JobId;
import dev.tutti.store.Columns;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;

/** How many members each pod set keeps at the least, of victims that give up some of theirs. */
final class MinCounts {

    private static final String READ = """
            SELECT s.job_id, p ->> 'name' AS name, whole_number(p -> 'minCount') AS min_count
            FROM job_specs s CROSS JOIN LATERAL jsonb_path_query(s.spec, '$.podSets[*]') p
            WHERE s.job_id = ANY (:jobs::uuid[])""";

    private MinCounts() {}

    /** By victim and pod set; of victims that leave whole nothing is asked. */
    static Map<JobId, Map<String, Integer>> of(JdbcClient sql, List<Evictions.Group> groups) {
        List<JobId> victims = groups.stream()
                .flatMap(group -> group.evictions().stream())
                .filter(one -> !one.ranks().isEmpty())
                .map(Eviction::victim)
                .toList();
        Map<JobId, Map<String, Integer>> counts = new HashMap<>();
        if (!victims.isEmpty()) {
            sql.sql(READ).param("jobs", Columns.texts(victims, JobId::value)).query(row -> {
                counts.computeIfAbsent(new JobId(row.getObject("job_id", UUID.class)), job -> new HashMap<>())
                        .put(row.getString("name"), row.getInt("min_count"));
            });
        }
        return counts;
    }
}
