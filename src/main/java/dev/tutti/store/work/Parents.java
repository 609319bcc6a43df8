package dev.tutti.store.work;

import dev.tutti.model.JobId;
import dev.tutti.model.Violation;
import dev.tutti.model.job.JobSpec;
import dev.tutti.model.life.JobState;
import dev.tutti.store.Columns;
import dev.tutti.store.work.JobWriter.NewJob;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * The jobs that new jobs depend on, found and kept from ending until the transaction does: whatever their end would have
 * to tell the new jobs it finds written. Rows are locked by id, as everywhere.
 */
final class Parents {

    private static final String FIND = """
            SELECT id, state FROM jobs WHERE id = ANY (:ids::uuid[]) ORDER BY id FOR SHARE""";

    private static final String WRITE = """
            INSERT INTO job_parents (child_id, parent_id, outcome)
            SELECT child, parent, outcome FROM unnest(:children::uuid[], :parents::uuid[], :outcomes::text[])
                AS l (child, parent, outcome)""";

    private final Map<JobId, JobState> states = new HashMap<>();

    private Parents() {}

    static Parents find(JdbcClient sql, List<JobSpec> specs) {
        Parents parents = new Parents();
        List<JobId> ids = specs.stream()
                .flatMap(spec -> spec.dependsOn().stream())
                .distinct()
                .toList();
        if (!ids.isEmpty()) {
            sql.sql(FIND).param("ids", Columns.texts(ids, JobId::value)).query(row -> {
                parents.states.put(
                        new JobId(row.getObject("id", UUID.class)), JobState.valueOf(row.getString("state")));
            });
        }
        return parents;
    }

    /** The violations so far, one list per job, with those of unknown parents added. */
    List<List<Violation>> refuse(List<JobSpec> specs, List<List<Violation>> soFar) {
        List<List<Violation>> all = new ArrayList<>();
        for (int i = 0; i < specs.size(); i++) {
            List<Violation> violations = new ArrayList<>(soFar.get(i));
            specs.get(i).dependsOn().stream()
                    .filter(id -> !states.containsKey(id))
                    .forEach(id -> violations.add(new Violation(
                            "dependsOn",
                            "there is no job " + id + ", or no longer; leave it out, or give the id of one that is")));
            all.add(violations);
        }
        return all;
    }

    /** Whether the job may not be considered yet; jobs that are new themselves have not succeeded. */
    boolean keepWaiting(JobSpec spec) {
        return spec.dependsOn().stream().anyMatch(id -> states.get(id) != JobState.SUCCEEDED);
    }

    /** Notes whom the new jobs wait for, and how those ended that have. */
    void write(JdbcClient sql, List<NewJob> jobs) {
        List<Link> links = new ArrayList<>();
        for (NewJob job : jobs) {
            job.spec().dependsOn().stream()
                    .filter(parent -> states.get(parent) != JobState.SUCCEEDED)
                    .forEach(parent -> links.add(new Link(job.id(), parent, outcome(parent))));
        }
        if (!links.isEmpty()) {
            sql.sql(WRITE)
                    .param("children", Columns.texts(links, link -> link.child().value()))
                    .param("parents", Columns.texts(links, link -> link.parent().value()))
                    .param("outcomes", Columns.texts(links, Link::outcome))
                    .update();
        }
    }

    private @Nullable String outcome(JobId parent) {
        JobState state = states.get(parent);
        return state != null && state.isFinal() ? "BADLY" : null;
    }

    private record Link(JobId child, JobId parent, @Nullable String outcome) {}
}
