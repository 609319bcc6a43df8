package dev.tutti.simulator.faults;

import java.util.EnumMap;
import java.util.Map;

/**
 * How often each thing goes wrong, of a thousand calls, lists or events.
 *
 * @param perMille 0 to 1000 for each kind; a kind that is missing never happens
 * @param maxSteps longest delay, in steps of the simulation; 1 and up
 */
public record FaultRates(Map<FaultKind, Integer> perMille, int maxSteps) {

    /** Nothing goes wrong. */
    public static final FaultRates NONE = new FaultRates(Map.of(), 1);

    public FaultRates {
        perMille = Map.copyOf(perMille);
        perMille.forEach((kind, rate) -> {
            if (rate < 0 || rate > 1_000) {
                throw new IllegalArgumentException(kind + " is " + rate + " per mille; give 0 to 1000");
            }
        });
        if (maxSteps < 1) {
            throw new IllegalArgumentException("maxSteps is " + maxSteps + "; give 1 or more");
        }
    }

    /** Every kind equally often. */
    public static FaultRates all(int perMille, int maxSteps) {
        Map<FaultKind, Integer> rates = new EnumMap<>(FaultKind.class);
        for (FaultKind kind : FaultKind.values()) {
            rates.put(kind, perMille);
        }
        return new FaultRates(rates, maxSteps);
    }

    /** Only one kind. */
    public static FaultRates only(FaultKind kind, int perMille, int maxSteps) {
        return new FaultRates(Map.of(kind, perMille), maxSteps);
    }

    int of(FaultKind kind) {
        return perMille.getOrDefault(kind, 0);
    }
}
