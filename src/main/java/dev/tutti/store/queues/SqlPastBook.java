package dev.tutti.store.queues;

import dev.tutti.control.Actor;
import dev.tutti.control.PastBook;
import dev.tutti.model.QueueId;
import dev.tutti.model.queue.PastShare;
import dev.tutti.store.SqlTransactions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import org.springframework.stereotype.Component;

/** What queues held lately, in PostgreSQL: one statement for all of them. */
@Component
public final class SqlPastBook implements PastBook {

    private static final String WRITE = """
            INSERT INTO queue_pasts AS p (queue_id, surplus, red, counted_until)
            SELECT x.queue_id, x.surplus, x.red, timestamptz 'epoch' + x.until * interval '1 microsecond'
            FROM unnest(:queues::bigint[], :surplus::bigint[], :red::bigint[], :until::bigint[])
                AS x (queue_id, surplus, red, until)
            JOIN queues q ON q.id = x.queue_id AND q.removed_at IS NULL
            ORDER BY x.queue_id
            ON CONFLICT (queue_id) DO UPDATE
                SET surplus = excluded.surplus, red = excluded.red, counted_until = excluded.counted_until
                WHERE p.counted_until < excluded.counted_until""";

    private final SqlTransactions transactions;

    public SqlPastBook(SqlTransactions transactions) {
        this.transactions = transactions;
    }

    @Override
    public void remember(Map<QueueId, PastShare> pasts, Actor.Leader leader) {
        List<Map.Entry<QueueId, PastShare>> rows = new ArrayList<>(pasts.entrySet());
        transactions.write(
                "what queues held lately",
                leader,
                sql -> sql.sql(WRITE)
                        .param("queues", numbers(rows, row -> row.getKey().value()))
                        .param("surplus", numbers(rows, row -> row.getValue().surplus()))
                        .param("red", numbers(rows, row -> row.getValue().red()))
                        .param("until", numbers(rows, row -> row.getValue().atMicros()))
                        .update());
    }

    private static Long[] numbers(
            List<Map.Entry<QueueId, PastShare>> rows, ToLongFunction<Map.Entry<QueueId, PastShare>> number) {
        return rows.stream().map(number::applyAsLong).toArray(Long[]::new);
    }
}
