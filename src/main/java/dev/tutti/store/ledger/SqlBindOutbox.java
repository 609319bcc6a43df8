package dev.tutti.store.ledger;

import dev.tutti.control.Actor;
import dev.tutti.control.BindOutbox;
import dev.tutti.control.BindTask;
import dev.tutti.model.AllocationId;
import dev.tutti.model.ClusterId;
import dev.tutti.store.Columns;
import dev.tutti.store.SqlTransactions;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import org.springframework.stereotype.Component;

/** The outbox in PostgreSQL: claimed by state with SKIP LOCKED, each claim with an end by the database's clock. */
@Component
public final class SqlBindOutbox implements BindOutbox {

    /**
     * A task that an earlier term left claimed is not handed out, however long ago that was: its bind may still be on
     * its way, so its pod is touched first and the claim made void by {@link #reopen}.
     */
    private static final String CLAIM = """
            WITH due AS MATERIALIZED (
                SELECT allocation_id, may_have_bound, tries FROM bind_tasks
                WHERE cluster_id = :cluster AND NOT done AND due_at <= now()
                  AND (claimed_until IS NULL OR (claimed_until <= now() AND claimed_term = :term))
                ORDER BY due_at, allocation_id LIMIT :limit
                FOR UPDATE SKIP LOCKED
            ), task AS (
                UPDATE bind_tasks t SET
                    generation = t.generation + 1, claimed_generation = t.generation + 1, claimed_term = :term,
                    claimed_until = now() + :claim * interval '1 millisecond', tries = t.tries + 1,
                    may_have_bound = t.may_have_bound OR t.wish = 'BIND'
                FROM due WHERE t.allocation_id = due.allocation_id
                RETURNING t.allocation_id, t.cluster_id, t.wish, t.generation, t.due_at, due.may_have_bound, due.tries
            )
            """ + BindTasks.SELECT;

    /** Only the claim that stands is settled: one that a later claim followed has no say any more. */
    private static final String SETTLE = """
            UPDATE bind_tasks t SET
                done = t.done OR (s.done AND s.generation = t.generation),
                due_at = CASE WHEN s.generation = t.generation AND NOT s.done
                    THEN now() + s.retry_ms * interval '1 millisecond' ELSE t.due_at END,
                may_have_bound = t.may_have_bound AND NOT s.never_sent,
                claimed_until = NULL, claimed_term = NULL, claimed_generation = NULL
            FROM unnest(:ids::bigint[], :generations::bigint[], :done::boolean[], :neverSent::boolean[],
                        :retries::bigint[]) AS s (id, generation, done, never_sent, retry_ms)
            WHERE t.allocation_id = s.id AND t.claimed_generation = s.generation""";

    private static final String OF_EARLIER_TERMS = """
            WITH task AS (
                SELECT allocation_id, cluster_id, wish, generation, due_at, may_have_bound, tries FROM bind_tasks
                WHERE cluster_id = :cluster AND NOT done AND claimed_until IS NOT NULL AND claimed_term < :term
                ORDER BY allocation_id LIMIT :limit
            )
            """ + BindTasks.SELECT;

    private static final String REOPEN = """
            UPDATE bind_tasks SET claimed_until = NULL, claimed_term = NULL, claimed_generation = NULL, due_at = now()
            WHERE allocation_id = ANY (:ids) AND claimed_term < :term""";

    private final SqlTransactions transactions;

    public SqlBindOutbox(SqlTransactions transactions) {
        this.transactions = transactions;
    }

    @Override
    public List<BindTask> claim(ClusterId cluster, int limit, Duration claimTime, Actor.Leader leader) {
        return transactions.write(
                "a claim",
                leader,
                sql -> BindTasks.read(sql.sql(CLAIM)
                        .param("cluster", cluster.value())
                        .param("limit", limit)
                        .param("claim", claimTime.toMillis())
                        .param("term", leader.term())));
    }

    @Override
    public void settle(Collection<Settlement> settlements, Actor.Leader leader) {
        if (settlements.isEmpty()) {
            return;
        }
        transactions.write(
                "settlements",
                leader,
                sql -> sql.sql(SETTLE)
                        .param(
                                "ids",
                                Columns.longs(
                                        settlements, one -> one.allocation().value()))
                        .param("generations", Columns.longs(settlements, Settlement::generation))
                        .param("done", Columns.flags(settlements, Settlement::done))
                        .param("neverSent", Columns.flags(settlements, Settlement::neverSent))
                        .param(
                                "retries",
                                Columns.longs(
                                        settlements, one -> one.retryAfter().toMillis()))
                        .update());
    }

    @Override
    public List<BindTask> unsettledOfEarlierTerms(ClusterId cluster, int limit, Actor.Leader leader) {
        return transactions.write(
                "tasks of earlier terms",
                leader,
                sql -> BindTasks.read(sql.sql(OF_EARLIER_TERMS)
                        .param("cluster", cluster.value())
                        .param("limit", limit)
                        .param("term", leader.term())));
    }

    @Override
    public void reopen(Collection<AllocationId> allocations, Actor.Leader leader) {
        if (allocations.isEmpty()) {
            return;
        }
        transactions.write(
                "reopened tasks",
                leader,
                sql -> sql.sql(REOPEN)
                        .param("ids", Columns.longs(allocations, AllocationId::value))
                        .param("term", leader.term())
                        .update());
    }
}
