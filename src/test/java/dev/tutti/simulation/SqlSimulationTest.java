package dev.tutti.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.testkit.postgres.TestPostgres;
import java.util.EnumMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * The same runs on the real ledger: {@code -Dtutti.sql.seeds} seeds (1 in a build) of {@code -Dtutti.sql.ticks} ticks
 * (300 in a build) and {@code -Dtutti.sql.jobs} jobs (60 in a build). The long run: {@code mvn test
 * -Dtest=SqlSimulationTest -Dtutti.sql.seeds=20 -Dtutti.sql.ticks=2000 -Dtutti.sql.jobs=200}.
 */
class SqlSimulationTest {

    @Test
    void everyInvariantHoldsOnPostgresToo() {
        int seeds = Integer.getInteger("tutti.sql.seeds", 1);
        int first = Integer.getInteger("tutti.sql.seed", 1);
        Setting setting =
                Setting.of(Integer.getInteger("tutti.sql.ticks", 300), Integer.getInteger("tutti.sql.jobs", 60));
        Map<Fault, Long> counts = new EnumMap<>(Fault.class);
        long attempts = 0;
        long ticks = 0;
        long started = System.nanoTime();
        for (long seed = first; seed < first + seeds; seed++) {
            try (Database database = new SqlDatabase(World.LEASE)) {
                Report report = new World(seed, setting, database, Mutant.NONE).run();
                report.faults().forEach((fault, times) -> counts.merge(fault, times, Long::sum));
                attempts += report.attempts();
                ticks += report.ticks();
                assertThat(report.jobs()).isEqualTo(setting.jobs());
            }
        }
        say(seeds + " seeds on " + TestPostgres.serverName() + ", " + ticks + " ticks, "
                + (long) seeds * setting.jobs() + " jobs, " + attempts + " attempts, "
                + (System.nanoTime() - started) / 1_000_000 + " ms; " + counts);
        assertThat(counts).isNotEmpty();
    }

    @SuppressWarnings("SystemOut")
    private static void say(String line) {
        System.out.println("=== simulation: " + line);
    }
}
