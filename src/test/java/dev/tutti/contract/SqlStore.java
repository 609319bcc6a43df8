package dev.tutti.contract;

import dev.tutti.control.BindOutbox;
import dev.tutti.control.Dependencies;
import dev.tutti.control.FleetBook;
import dev.tutti.control.JobBook;
import dev.tutti.control.Leadership;
import dev.tutti.control.Ledger;
import dev.tutti.control.PastBook;
import dev.tutti.control.QueueBook;
import dev.tutti.control.Retention;
import dev.tutti.control.read.EventQueries;
import dev.tutti.control.read.FleetQueries;
import dev.tutti.control.read.QueueQueries;
import dev.tutti.control.view.ChangeFeed;
import dev.tutti.control.view.VictimRules;
import dev.tutti.model.fleet.TopologyLevels;
import dev.tutti.store.SqlTransactions;
import dev.tutti.store.fleet.SqlFleetBook;
import dev.tutti.store.fleet.SqlFleetQueries;
import dev.tutti.store.identity.SqlLeadership;
import dev.tutti.store.ledger.SqlBindOutbox;
import dev.tutti.store.ledger.SqlLedger;
import dev.tutti.store.queues.SqlPastBook;
import dev.tutti.store.queues.SqlQueueBook;
import dev.tutti.store.queues.SqlQueueQueries;
import dev.tutti.store.stream.SqlChangeFeed;
import dev.tutti.store.stream.SqlEventQueries;
import dev.tutti.store.stream.SqlRetention;
import dev.tutti.store.work.SqlDependencies;
import dev.tutti.store.work.SqlJobBook;
import dev.tutti.testkit.postgres.TestDatabase;
import dev.tutti.testkit.postgres.TestPostgres;
import java.time.Duration;
import java.util.List;

/** The store on a real PostgreSQL, in a database of its own. Time passes by making every stored time older. */
public final class SqlStore implements StoreUnderTest {

    private static final Duration LEASE = Duration.ofSeconds(30);

    static final TopologyLevels LEVELS = new TopologyLevels(List.of(
            new TopologyLevels.Level("zone", List.of("topology.kubernetes.io/zone")),
            new TopologyLevels.Level("rack", List.of("rack"))));

    private static final String AGE = """
            DO $$
            DECLARE
                c record;
            BEGIN
                SET LOCAL session_replication_role = replica;
                FOR c IN SELECT table_name, string_agg(format('%%1$I = %%1$I - interval ''%1$s milliseconds''',
                                                              column_name), ', ') AS sets
                         FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
                         WHERE table_schema = 'public' AND data_type = 'timestamp with time zone'
                           AND table_type = 'BASE TABLE'
                         GROUP BY table_name
                LOOP
                    EXECUTE format('UPDATE %%I SET %%s', c.table_name, c.sets);
                END LOOP;
            END $$""";

    private final TestDatabase database = TestPostgres.freshDatabase();
    private final SqlTransactions transactions = new SqlTransactions(database.dataSource());
    private final SqlLedger ledger = new SqlLedger(transactions);
    private final SqlBindOutbox outbox = new SqlBindOutbox(transactions);
    private final SqlJobBook jobs = new SqlJobBook(transactions);
    private final SqlFleetBook fleet = new SqlFleetBook(transactions);
    private final SqlChangeFeed changes = new SqlChangeFeed(transactions, VictimRules.NONE);
    private final SqlQueueBook queues = new SqlQueueBook(transactions);
    private final SqlQueueQueries queueQueries = new SqlQueueQueries(transactions);
    private final SqlEventQueries eventQueries = new SqlEventQueries(transactions);
    private final SqlFleetQueries fleetQueries = new SqlFleetQueries(transactions, LEVELS);
    private final SqlRetention retention = new SqlRetention(transactions);
    private final SqlLeadership leadership = new SqlLeadership(transactions, LEASE);

    /** For what a test must ask or do behind the ports. */
    public TestDatabase database() {
        return database;
    }

    public SqlTransactions transactions() {
        return transactions;
    }

    QueueQueries queueQueries() {
        return queueQueries;
    }

    EventQueries eventQueries() {
        return eventQueries;
    }

    FleetQueries fleetQueries() {
        return fleetQueries;
    }

    Retention retention() {
        return retention;
    }

    @Override
    public Ledger ledger() {
        return ledger;
    }

    @Override
    public BindOutbox outbox() {
        return outbox;
    }

    @Override
    public Dependencies dependencies() {
        return new SqlDependencies(transactions);
    }

    @Override
    public JobBook jobs() {
        return jobs;
    }

    @Override
    public FleetBook fleet() {
        return fleet;
    }

    @Override
    public ChangeFeed changes() {
        return changes;
    }

    @Override
    public QueueBook queues() {
        return queues;
    }

    @Override
    public PastBook pasts() {
        return new SqlPastBook(transactions);
    }

    @Override
    public Leadership leadership() {
        return leadership;
    }

    @Override
    public Duration lease() {
        return LEASE;
    }

    @Override
    public void advance(Duration time) {
        database.jdbcClient().sql(AGE.formatted(time.toMillis())).update();
    }

    @Override
    public void close() {
        database.close();
    }
}
