package dev.tutti.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A simulation that lets a broken rule pass proves nothing: each is caught within a few seeds. */
class BrokenRulesTest {

    private static final int SEEDS = 30;
    private static final Setting SETTING = Setting.of(1500, 200);

    @ParameterizedTest
    @EnumSource
    void isCaught(Mutants mutant) {
        List<String> caught = new ArrayList<>();
        for (long seed = 1; seed <= SEEDS && caught.isEmpty(); seed++) {
            try (Database database = new MemoryDatabase(World.LEASE)) {
                new World(seed, SETTING, database, mutant).run();
            } catch (Violation violation) {
                caught.add(violation.rule + " by seed " + seed);
            }
        }
        say(mutant + " is caught: " + caught);
        assertThat(caught).isNotEmpty();
    }

    @SuppressWarnings("SystemOut")
    private static void say(String line) {
        System.out.println("=== simulation: " + line);
    }
}
