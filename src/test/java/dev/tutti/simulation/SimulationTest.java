package dev.tutti.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Runs under seeds 1 to {@code -Dtutti.seeds} (20 in a build), {@code -Dtutti.ticks} ticks (1,000 in a build) and
 * 200 jobs each; {@code -Dtutti.seed} is the first. The long run:
 * {@code mvn test -Dtest=SimulationTest -Dtutti.seeds=1000 -Dtutti.ticks=2000}.
 */
class SimulationTest {

    private static final int JOBS = 200;

    @Test
    void everyInvariantHoldsWhateverGoesWrong() {
        int seeds = Integer.getInteger("tutti.seeds", 20);
        int first = Integer.getInteger("tutti.seed", 1);
        Setting setting = Setting.of(Integer.getInteger("tutti.ticks", 1000), JOBS);
        Map<Fault, Long> counts = new EnumMap<>(Fault.class);
        long jobs = 0;
        long gangs = 0;
        long instances = 0;
        long withNics = 0;
        long kept = 0;
        long fellBack = 0;
        long attempts = 0;
        long ticks = 0;
        long started = System.nanoTime();
        for (long seed = first; seed < first + seeds; seed++) {
            Report report = run(seed, setting);
            report.faults().forEach((fault, times) -> counts.merge(fault, times, Long::sum));
            jobs += report.jobs();
            gangs += report.gangs();
            instances += report.instances();
            withNics += report.withNics();
            kept += report.kept();
            fellBack += report.fellBack();
            attempts += report.attempts();
            ticks += report.ticks();
            assertThat(report.jobs()).isGreaterThanOrEqualTo(JOBS);
            assertThat(report.ticks()).isGreaterThanOrEqualTo(setting.ticks());
        }
        say(seeds + " seeds, " + ticks + " ticks, " + jobs + " jobs, " + gangs + " gangs, " + attempts + " attempts, "
                + instances + " MIG instances, " + withNics + " pods with RDMA NICs, " + kept
                + " pods on the flavor they waited for, "
                + fellBack + " after the wait on another, "
                + (System.nanoTime() - started) / 1_000_000 + " ms; " + counts);
        assertThat(kept).isGreaterThanOrEqualTo(seeds);
        assertThat(fellBack).isPositive();
        assertThat(withNics * 10).isGreaterThanOrEqualTo(attempts);
        assertThat(instances * 5).isGreaterThanOrEqualTo(attempts);
        assertThat(gangs * 10).isGreaterThanOrEqualTo(jobs * 3);
        assertThat(counts).containsOnlyKeys(Fault.values());
    }

    private static Report run(long seed, Setting setting) {
        try (Database database = new MemoryDatabase(World.LEASE)) {
            return new World(seed, setting, database, Mutant.NONE).run();
        }
    }

    @SuppressWarnings("SystemOut")
    private static void say(String line) {
        System.out.println("=== simulation: " + line);
    }
}
