package dev.tutti.store;

import dev.tutti.control.Actor;
import dev.tutti.control.Deposed;
import dev.tutti.control.OutcomeUnknown;
import java.util.function.Function;
import javax.sql.DataSource;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.stereotype.Component;
import org.springframework.transaction.TransactionStatus;

/**
 * Short transactions of plain SQL, apart from those of JPA. A leader's transaction first reads the term {@code FOR
 * SHARE} (house rule R6), so that a takeover and a write of the old leader exclude each other. A commit without a reply
 * is {@link OutcomeUnknown}; everything before the commit is certain not to be stored.
 */
@Component
public final class SqlTransactions {

    private static final String CHECK_TERM = """
            SELECT term, set_config('transaction_timeout', '5000', true),
                   set_config('idle_in_transaction_session_timeout', '5000', true)
            FROM leadership WHERE one FOR SHARE""";

    private final JdbcClient sql;
    private final JdbcTransactionManager manager;

    public SqlTransactions(DataSource dataSource) {
        this.sql = JdbcClient.create(dataSource);
        this.manager = new JdbcTransactionManager(dataSource);
    }

    /** One read of one statement, and so of one snapshot. */
    public <T> T read(String what, Function<JdbcClient, T> query) {
        try {
            return query.apply(sql);
        } catch (RuntimeException e) {
            throw SqlErrors.inOurWords(what, e);
        }
    }

    /** One transaction of whoever acts; throws {@link Deposed} for a leader whose term is over. */
    public <T> T write(String what, Actor actor, Function<JdbcClient, T> work) {
        return actor instanceof Actor.Leader leader
                ? write(what, client -> {
                    checkTerm(client, leader);
                    return work.apply(client);
                })
                : write(what, work);
    }

    /** One transaction. */
    public <T> T write(String what, Function<JdbcClient, T> work) {
        T result;
        TransactionStatus transaction;
        try {
            transaction = manager.getTransaction(null);
        } catch (RuntimeException e) {
            throw SqlErrors.inOurWords(what, e);
        }
        try {
            result = work.apply(sql);
        } catch (RuntimeException e) {
            rollBack(transaction, e);
            throw SqlErrors.inOurWords(what, e);
        } catch (Error e) {
            rollBack(transaction, e);
            throw e;
        }
        try {
            manager.commit(transaction);
        } catch (RuntimeException e) {
            throw new OutcomeUnknown(what, e);
        }
        return result;
    }

    private void rollBack(TransactionStatus transaction, Throwable why) {
        try {
            manager.rollback(transaction);
        } catch (RuntimeException e) {
            why.addSuppressed(e);
        }
    }

    private static void checkTerm(JdbcClient sql, Actor.Leader leader) {
        long term = sql.sql(CHECK_TERM).query((row, n) -> row.getLong(1)).single();
        if (term != leader.term()) {
            throw new Deposed(leader.term());
        }
    }
}
