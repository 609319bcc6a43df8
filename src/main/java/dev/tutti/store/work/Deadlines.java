package dev.tutti.store.work;

import dev.tutti.control.intake.PastDeadline;
import dev.tutti.model.Violation;
import dev.tutti.model.job.JobSpec;
import java.util.ArrayList;
import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Refuses jobs whose deadline is over before they begin, by the database's clock. */
final class Deadlines {

    private Deadlines() {}

    /** The violations so far, one list per job, with those of deadlines added. */
    static List<List<Violation>> refuse(JdbcClient sql, List<JobSpec> specs, List<List<Violation>> soFar) {
        if (specs.stream().allMatch(spec -> spec.limits().deadline() == null)) {
            return soFar;
        }
        long now = sql.sql("SELECT now_micros()").query(Long.class).single();
        List<List<Violation>> all = new ArrayList<>();
        for (int i = 0; i < specs.size(); i++) {
            List<Violation> violations = new ArrayList<>(soFar.get(i));
            PastDeadline.of(specs.get(i), now).ifPresent(violations::add);
            all.add(violations);
        }
        return all;
    }
}
