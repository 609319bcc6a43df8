package dev.tutti.model.fleet;

import dev.tutti.model.Check;

/**
 * A MIG instance on its GPU.
 *
 * @param profile name of its {@link MigProfile}
 * @param start first memory unit it takes, from 0
 * @param units memory units it takes
 */
public record MigInstance(String profile, int start, int units) {

    public MigInstance {
        new Check()
                .range(start, 0, MigLayout.UNITS - 1, "start")
                .range(units, 1, MigLayout.UNITS - start, "units")
                .orThrow();
    }

    /** Its units as bits: bit {@code i} stands for unit {@code i}. */
    public int bits() {
        return (1 << units) - 1 << start;
    }
}
