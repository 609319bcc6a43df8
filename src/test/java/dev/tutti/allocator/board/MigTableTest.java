package dev.tutti.allocator.board;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.model.fleet.MigInstance;
import dev.tutti.model.fleet.MigLayout;
import dev.tutti.model.fleet.MigLayouts;
import dev.tutti.model.fleet.MigProfile;
import org.junit.jupiter.api.Test;

/** Every layout, profile and set of units in use, against the rows of the table. */
class MigTableTest {

    @Test
    void countsAndChoosesOnlyPositionsThatAreAllowedAndFree() {
        for (int l = 0; l < MigLayouts.ALL.size(); l++) {
            MigTable table = MigTable.of(l);
            for (int number = 0; number < MigLayouts.PROFILES.size(); number++) {
                MigProfile profile = MigLayouts.ALL
                        .get(l)
                        .profile(MigLayouts.PROFILES.get(number))
                        .orElse(null);
                for (int mask = 0; mask < 1 << MigLayout.UNITS; mask++) {
                    int used = mask;
                    long free = profile == null
                            ? 0
                            : profile.starts().stream()
                                    .filter(start -> (bits(profile, start) & used) == 0)
                                    .count();
                    assertThat(table.count(number, mask)).isEqualTo((int) free);
                    int best = table.bestStart(number, mask);
                    assertThat(best >= 0).isEqualTo(free > 0);
                    if (best >= 0) {
                        assertThat(table.fits(number, mask, best)).isTrue();
                        assertThat(table.count(number, mask | table.bits(number, best)))
                                .as("equal instances never stand in each other's way")
                                .isEqualTo((int) free - 1);
                    }
                }
            }
        }
    }

    @Test
    void noPositionLeavesALargerHoleThanTheBest() {
        MigTable table = MigTable.of(0);
        for (int profile = 0; profile < MigLayouts.PROFILES.size(); profile++) {
            for (int mask = 0; mask < 1 << MigLayout.UNITS; mask++) {
                for (int start = 0; start < MigLayout.UNITS; start++) {
                    if (table.fits(profile, mask, start)) {
                        int best = table.bestStart(profile, mask);
                        assertThat(largest(table, mask | table.bits(profile, best)))
                                .isGreaterThanOrEqualTo(largest(table, mask | table.bits(profile, start)));
                    }
                }
            }
        }
    }

    @Test
    void worthFallsWithEveryUnitAndIsNeverMoreThanHalfAGpu() {
        for (int l = 0; l < MigLayouts.ALL.size(); l++) {
            MigTable table = MigTable.of(l);
            for (int mask = 0; mask < 1 << MigLayout.UNITS; mask++) {
                assertThat(table.worth(mask)).isBetween(0, MigTable.MOST_WORTH);
                for (int unit = 0; unit < MigLayout.UNITS; unit++) {
                    assertThat(table.worth(mask | 1 << unit)).isLessThanOrEqualTo(table.worth(mask));
                }
            }
        }
    }

    private static int largest(MigTable table, int mask) {
        int largest = 0;
        for (int profile = 0; profile < MigLayouts.PROFILES.size(); profile++) {
            largest = table.count(profile, mask) > 0 ? Math.max(largest, table.units(profile)) : largest;
        }
        return largest;
    }

    private static int bits(MigProfile profile, int start) {
        return new MigInstance(profile.name(), start, profile.units()).bits();
    }
}
