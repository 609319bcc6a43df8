package dev.tutti.store.ledger;

import dev.tutti.model.life.JobState;
import dev.tutti.store.Columns;
import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Writes, with the end of jobs, what it means for the jobs that wait for them; the caller holds the locks of the ended. */
final class ParentEnds {

    private static final String WAIT_NO_MORE = "DELETE FROM job_parents WHERE child_id = ANY (:jobs::uuid[])";

    private static final String TELL = """
            UPDATE job_parents p SET outcome = u.outcome
            FROM unnest(:jobs::uuid[], :outcomes::text[]) AS u (id, outcome)
            WHERE p.parent_id = u.id AND p.outcome IS NULL""";

    private ParentEnds() {}

    static void write(JdbcClient sql, List<RunStep> ended) {
        if (ended.isEmpty()) {
            return;
        }
        String[] jobs = Columns.texts(ended, step -> step.job().value());
        sql.sql(WAIT_NO_MORE).param("jobs", jobs).update();
        sql.sql(TELL)
                .param("jobs", jobs)
                .param(
                        "outcomes",
                        Columns.texts(ended, step -> step.after().state() == JobState.SUCCEEDED ? "WELL" : "BADLY"))
                .update();
    }
}
