package dev.tutti.store.queues;

import dev.tutti.control.Actor;
import dev.tutti.control.LaneBook;
import dev.tutti.model.job.Lane;
import dev.tutti.model.queue.LaneRules;
import dev.tutti.store.Json;
import dev.tutti.store.SqlTransactions;
import dev.tutti.store.stream.Journal;
import java.sql.Types;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Lanes in PostgreSQL. */
@Component
public final class SqlLaneBook implements LaneBook {

    private static final String LOCK = """
            SELECT json_build_object('hours', hours, 'preempts', preempts, 'startsPerMinute', starts_per_minute,
                                     'fallbackAfterSeconds', fallback_after_seconds)::text
            FROM lanes WHERE name = :name AND version = :version FOR UPDATE""";

    private static final String UPDATE = """
            UPDATE lanes SET hours = :hours::jsonb, preempts = :preempts, starts_per_minute = :startsPerMinute,
                   fallback_after_seconds = :fallbackAfterSeconds, version = version + 1
            WHERE name = :name""";

    private final SqlTransactions transactions;

    public SqlLaneBook(SqlTransactions transactions) {
        this.transactions = transactions;
    }

    @Override
    public boolean change(Lane lane, long version, LaneRules rules, Actor.Caller caller) {
        return transactions.write("a lane", sql -> {
            Optional<String> before = sql.sql(LOCK)
                    .param("name", lane.word())
                    .param("version", version)
                    .query(String.class)
                    .optional();
            before.ifPresent(
                    text -> change(sql, lane, version, Json.read(text, RulesRow.class), RulesRow.of(rules), caller));
            return before.isPresent();
        });
    }

    private static void change(
            JdbcClient sql, Lane lane, long version, RulesRow before, RulesRow after, Actor.Caller caller) {
        sql.sql(UPDATE)
                .param("name", lane.word())
                .param("hours", after.hours() == null ? null : Json.write(after.hours()))
                .param("preempts", after.preempts())
                .param("startsPerMinute", after.startsPerMinute(), Types.INTEGER)
                .param("fallbackAfterSeconds", after.fallbackAfterSeconds(), Types.INTEGER)
                .update();
        Journal journal = new Journal();
        journal.event("lane.change", lane.word(), after.facts(version + 1));
        journal.audit(caller, "lane.change", lane.word(), before.facts(version), after.facts(version + 1));
        journal.write(sql);
    }
}
