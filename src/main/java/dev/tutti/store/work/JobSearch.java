package dev.tutti.store.work;

import dev.tutti.control.read.JobFilter;
import dev.tutti.control.read.JobView;
import dev.tutti.control.read.PageRequest;
import dev.tutti.model.life.JobState;
import dev.tutti.store.Cursors;
import dev.tutti.store.Json;
import dev.tutti.store.Pages;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;

/** One list of jobs: the statement that its filter asks for, so that each kind of list finds its index. */
final class JobSearch {

    private static final int ID_DIGITS = 18;

    private static final String QUEUES = """
            SELECT q.id FROM queues q
            WHERE q.lineage && ARRAY (SELECT n.id FROM queues n WHERE n.path = :name OR n.id = :id)""";

    private final JobFilter filter;
    private final PageRequest page;
    private final String list;
    private final List<String> conditions = new ArrayList<>();
    private final Map<String, Object> parameters = new HashMap<>();

    JobSearch(JobFilter filter, PageRequest page) {
        this.filter = filter;
        this.page = page;
        this.list = "jobs/" + filter.queue() + '/' + new TreeSet<>(filter.states()) + '/' + filter.lane() + '/'
                + new TreeMap<>(filter.labels()) + '/' + filter.since() + '/' + filter.newestFirst();
        conditions.add("true");
        parameters.put("rows", Pages.rows(page));
        addCursor();
    }

    List<JobView> run(JdbcClient sql) {
        if (!addQueue(sql)) {
            return List.of();
        }
        return sql.sql(statement()).params(parameters).query(JobViews::view).list();
    }

    String cursor(JobView last) {
        return cursor(last.submittedAt(), last.id().value());
    }

    String cursor(Instant submittedAt, UUID id) {
        return Cursors.write(list, submittedAt, id);
    }

    String statement() {
        addFilter();
        String direction = filter.newestFirst() ? " DESC" : "";
        String order = " ORDER BY j.submitted_at" + direction + ", j.id" + direction;
        return "WITH page AS MATERIALIZED (SELECT j.id, j.queue_id, j.state FROM jobs j WHERE "
                + String.join(" AND ", conditions) + order + " LIMIT :rows)\n" + JobViews.SELECT + order;
    }

    Map<String, Object> parameters() {
        return parameters;
    }

    private void addFilter() {
        if (filter.states().size() == 1) {
            add("j.state = :state", "state", filter.states().iterator().next().name());
        } else if (!filter.states().isEmpty()) {
            String[] states = filter.states().stream().map(JobState::name).toArray(String[]::new);
            add("j.state = ANY (:states)", "states", states);
        }
        if (filter.lane() != null) {
            add("j.lane = :lane", "lane", filter.lane().word());
        }
        if (filter.since() != null) {
            add("j.submitted_at >= :since", "since", Pages.parameter(filter.since()));
        }
        if (!filter.labels().isEmpty()) {
            add(
                    "j.id IN (SELECT s.job_id FROM job_specs s WHERE s.spec -> 'labels' @> :labels::jsonb)",
                    "labels",
                    Json.write(filter.labels()));
        }
    }

    /** Finds the queue and those below it, also removed ones: their jobs are still kept. False when none had that name. */
    boolean addQueue(JdbcClient sql) {
        String name = filter.queue();
        if (name == null) {
            return true;
        }
        boolean isId =
                !name.isEmpty() && name.length() <= ID_DIGITS && name.chars().allMatch(c -> c >= '0' && c <= '9');
        List<Long> ids = sql.sql(QUEUES)
                .param("name", name)
                .param("id", isId ? Long.parseLong(name) : -1)
                .query(Long.class)
                .list();
        if (ids.size() == 1) {
            add("j.queue_id = :queue", "queue", ids.get(0));
        } else {
            long[] all = ids.stream().mapToLong(Long::longValue).toArray();
            add("j.queue_id = ANY (:queues)", "queues", all);
        }
        return !ids.isEmpty();
    }

    private void addCursor() {
        List<String> after = Cursors.read(list, page.cursor());
        if (after != null) {
            parameters.put("afterTime", Pages.parameter(Instant.parse(after.get(0))));
            String sign = filter.newestFirst() ? "<" : ">";
            add("(j.submitted_at, j.id) " + sign + " (:afterTime, :afterId)", "afterId", UUID.fromString(after.get(1)));
        }
    }

    private void add(String condition, String name, Object value) {
        conditions.add(condition);
        parameters.put(name, value);
    }
}
