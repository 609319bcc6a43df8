package dev.tutti.simulation;

import com.zaxxer.hikari.HikariDataSource;
import dev.tutti.control.Actor;
import dev.tutti.control.BindOutbox;
import dev.tutti.control.Dependencies;
import dev.tutti.control.FleetBook;
import dev.tutti.control.JobBook;
import dev.tutti.control.Leadership;
import dev.tutti.control.Ledger;
import dev.tutti.control.PastBook;
import dev.tutti.control.QueueBook;
import dev.tutti.control.Retention;
import dev.tutti.control.view.ChangeFeed;
import dev.tutti.control.view.VictimRules;
import dev.tutti.model.ClusterId;
import dev.tutti.model.queue.QueueRules;
import dev.tutti.model.queue.Quotas;
import dev.tutti.store.SqlTransactions;
import dev.tutti.store.fleet.SqlFleetBook;
import dev.tutti.store.identity.SqlLeadership;
import dev.tutti.store.ledger.SqlBindOutbox;
import dev.tutti.store.ledger.SqlLedger;
import dev.tutti.store.queues.SqlPastBook;
import dev.tutti.store.queues.SqlQueueBook;
import dev.tutti.store.stream.SqlChangeFeed;
import dev.tutti.store.stream.SqlRetention;
import dev.tutti.store.work.SqlDependencies;
import dev.tutti.store.work.SqlJobBook;
import dev.tutti.testkit.Truth;
import dev.tutti.testkit.postgres.TestDatabase;
import dev.tutti.testkit.postgres.TestPostgres;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * The real ledger on a real PostgreSQL whose clock is turned by hand: a schema before {@code pg_catalog} in the search
 * path has a {@code now()} of its own, which reads a table.
 */
final class SqlDatabase implements Database {

    private static final String CLOCK = """
            CREATE SCHEMA tutti_time;
            CREATE TABLE tutti_time.clock (moment timestamptz NOT NULL);
            INSERT INTO tutti_time.clock VALUES ('2026-01-01T00:00:00Z');
            CREATE FUNCTION tutti_time.now() RETURNS timestamptz LANGUAGE sql STABLE
                AS 'SELECT moment FROM tutti_time.clock';
            CREATE FUNCTION tutti_time.clock_timestamp() RETURNS timestamptz LANGUAGE sql STABLE
                AS 'SELECT moment FROM tutti_time.clock';
            DO $$
            DECLARE
                c record;
            BEGIN
                FOR c IN SELECT table_name, column_name FROM information_schema.columns
                         WHERE table_schema = 'public' AND column_default = 'now()'
                LOOP
                    EXECUTE format('ALTER TABLE %I ALTER COLUMN %I SET DEFAULT tutti_time.now()',
                                   c.table_name, c.column_name);
                END LOOP;
                EXECUTE format('ALTER DATABASE %I SET search_path = tutti_time, pg_catalog, public',
                               current_database());
                EXECUTE format('ALTER DATABASE %I SET synchronous_commit = off', current_database());
            END $$;
            """;

    private final TestDatabase database = TestPostgres.freshDatabase();
    private final HikariDataSource pool;
    private final JdbcClient sql;
    private final SqlTransactions transactions;
    private final SqlFleetBook fleet;
    private final QueueBook queues;
    private final Duration lease;

    SqlDatabase(Duration lease) {
        database.jdbcClient().sql(CLOCK).update();
        database.close();
        this.pool = database.newPool(2);
        this.sql = JdbcClient.create(pool);
        this.transactions = new SqlTransactions(pool);
        this.fleet = new SqlFleetBook(transactions);
        this.queues = new SqlQueueBook(transactions);
        this.lease = lease;
    }

    @Override
    public ClusterId addCluster(String name) {
        return fleet.register(name, "simulated");
    }

    @Override
    public void addQueue(String path, Quotas quotas) {
        addQueue(path, quotas, QueueRules.PLAIN);
    }

    void addQueue(String path, Quotas quotas, QueueRules rules) {
        QueueBook.Changed changed = queues.create(path, quotas, rules, new Actor.Caller("admin"));
        if (!(changed instanceof QueueBook.Changed.Done)) {
            throw new IllegalStateException("queue " + path + ": " + changed);
        }
    }

    /** The administrator writes other quotas. */
    void changeQuotas(String path, Quotas quotas) {
        long[] row = sql.sql("SELECT id, version FROM queues WHERE path = ?")
                .param(path)
                .query((found, n) -> new long[] {found.getLong(1), found.getLong(2)})
                .single();
        QueueBook.Changed changed = queues.change(row[0], row[1], quotas, null, new Actor.Caller("admin"));
        if (!(changed instanceof QueueBook.Changed.Done)) {
            throw new IllegalStateException("queue " + path + ": " + changed);
        }
    }

    /** The administrator removes a queue. */
    QueueBook.Changed removeQueue(String path) {
        long[] row = sql.sql("SELECT id, version FROM queues WHERE path = ?")
                .param(path)
                .query((found, n) -> new long[] {found.getLong(1), found.getLong(2)})
                .single();
        return queues.remove(row[0], row[1], new Actor.Caller("admin"));
    }

    @Override
    public Ledger ledger() {
        return new SqlLedger(transactions);
    }

    @Override
    public BindOutbox outbox() {
        return new SqlBindOutbox(transactions);
    }

    @Override
    public ChangeFeed feed() {
        return new SqlChangeFeed(transactions, VictimRules.NONE);
    }

    @Override
    public FleetBook fleet() {
        return fleet;
    }

    @Override
    public Dependencies dependencies() {
        return new SqlDependencies(transactions);
    }

    @Override
    public JobBook jobBook() {
        return new SqlJobBook(transactions);
    }

    @Override
    public PastBook pasts() {
        return new SqlPastBook(transactions);
    }

    @Override
    public Leadership leadership() {
        return new SqlLeadership(transactions, lease);
    }

    @Override
    public Truth truth() {
        return new SqlTruth(sql);
    }

    Retention retention() {
        return new SqlRetention(transactions);
    }

    /** One column of text, past all ports. */
    List<String> texts(String query) {
        return sql.sql(query).query(String.class).list();
    }

    @Override
    public void now(Instant time) {
        sql.sql("UPDATE tutti_time.clock SET moment = ?")
                .param(time.atOffset(ZoneOffset.UTC))
                .update();
    }

    @Override
    public void close() {
        pool.close();
    }
}
