package dev.tutti.boot.cli.replay;

import java.util.Map;
import java.util.TreeMap;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Reads the ledger's own tables, past the API, as a witness of its own. */
final class LedgerProbe {

    private final JdbcClient sql;

    LedgerProbe(JdbcClient sql) {
        this.sql = sql;
    }

    /** Milli-GPU held, by device UUID; summed from the live allocations, not from the triggers' running sums. */
    Map<String, Integer> heldByDevice() {
        Map<String, Integer> held = new TreeMap<>();
        sql.sql("SELECT d.uuid, sum(a.milli)::integer AS milli FROM allocation_devices a"
                        + " JOIN devices d ON d.id = a.device_id GROUP BY d.uuid")
                .query((row, number) -> held.put(row.getString("uuid"), row.getInt("milli")))
                .list();
        return held;
    }

    /** Jobs nobody has looked at yet. */
    long undecided() {
        return count("SELECT count(*) FROM jobs WHERE state = 'QUEUED' AND reason_code = 'NOT_YET_EVALUATED'");
    }

    /** Wishes not yet carried out. */
    long openTasks() {
        return count("SELECT count(*) FROM bind_tasks WHERE NOT done");
    }

    /** Members that were ever bound. */
    long bound() {
        return count("SELECT count(*) FROM allocations WHERE bound_at IS NOT NULL");
    }

    /** Jobs in this state. */
    long jobs(String state) {
        return sql.sql("SELECT count(*) FROM jobs WHERE state = :state")
                .param("state", state)
                .query(Long.class)
                .single();
    }

    private long count(String query) {
        return sql.sql(query).query(Long.class).single();
    }
}
