package dev.tutti.boot.loops;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.tutti.control.Leadership;
import dev.tutti.store.SqlTransactions;
import dev.tutti.store.identity.SqlLeadership;
import java.time.Duration;
import org.springframework.stereotype.Component;

/** A connection of its own for the lease, so that requests that fill the pool never cost this replica its leadership. */
@Component
final class LeaseConnection implements AutoCloseable {

    /** How long a lease lasts by the database's clock; another replica takes over after it. */
    static final Duration LEASE = Duration.ofSeconds(15);

    private final HikariDataSource pool;

    LeaseConnection(HikariDataSource main) {
        HikariConfig config = new HikariConfig();
        main.copyStateTo(config);
        config.setPoolName("tutti-lease");
        config.setMaximumPoolSize(1);
        config.setMinimumIdle(1);
        config.setMetricRegistry(null);
        config.setMetricsTrackerFactory(null);
        this.pool = new HikariDataSource(config);
    }

    Leadership leadership() {
        return new SqlLeadership(new SqlTransactions(pool), LEASE);
    }

    @Override
    public void close() {
        pool.close();
    }
}
