package dev.tutti.store.queues;

import dev.tutti.control.Actor;
import dev.tutti.control.LaneBook;
import dev.tutti.model.job.Lane;
import dev.tutti.model.queue.LaneHours;
import dev.tutti.store.Json;
import dev.tutti.store.SqlTransactions;
import dev.tutti.store.stream.Journal;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Lanes in PostgreSQL. */
@Component
public final class SqlLaneBook implements LaneBook {

    private static final String LOCK =
            "SELECT COALESCE(hours, 'null')::text FROM lanes WHERE name = :name AND version = :version FOR UPDATE";

    private static final String UPDATE =
            "UPDATE lanes SET hours = :hours::jsonb, version = version + 1 WHERE name = :name";

    private final SqlTransactions transactions;

    public SqlLaneBook(SqlTransactions transactions) {
        this.transactions = transactions;
    }

    @Override
    public boolean change(Lane lane, long version, @Nullable LaneHours hours, Actor.Caller caller) {
        return transactions.write("a lane", sql -> {
            Optional<String> before = sql.sql(LOCK)
                    .param("name", lane.word())
                    .param("version", version)
                    .query(String.class)
                    .optional();
            before.ifPresent(text -> change(sql, lane, version, Json.read(text, HoursRow.class), hours, caller));
            return before.isPresent();
        });
    }

    private static void change(
            JdbcClient sql,
            Lane lane,
            long version,
            @Nullable HoursRow before,
            @Nullable LaneHours hours,
            Actor.Caller caller) {
        HoursRow after = hours == null ? null : HoursRow.of(hours);
        sql.sql(UPDATE)
                .param("name", lane.word())
                .param("hours", after == null ? null : Json.write(after))
                .update();
        Journal journal = new Journal();
        journal.event("lane.change", lane.word(), facts(version + 1, after));
        journal.audit(caller, "lane.change", lane.word(), facts(version, before), facts(version + 1, after));
        journal.write(sql);
    }

    private static Map<String, Object> facts(long version, @Nullable HoursRow hours) {
        Map<String, Object> facts = new TreeMap<>(Map.of("version", version));
        if (hours != null) {
            facts.put("hours", hours);
        }
        return facts;
    }
}
