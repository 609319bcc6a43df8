package dev.tutti.simulator.faults;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Decides under a seed what goes wrong, counts it, and holds what is delayed. One for each gateway of a simulation;
 * the same seed and the same calls give the same faults. Thread-safe.
 */
public final class Weather {

    private static final int HELD = 100_000;

    private final Random random;
    private final Map<FaultKind, Long> counts = new EnumMap<>(FaultKind.class);
    private final List<Held> held = new ArrayList<>();
    private FaultRates rates;
    private long step;

    private record Held(long due, Runnable happening) {}

    public Weather(long seed, FaultRates rates) {
        this.random = new Random(seed);
        this.rates = rates;
    }

    /** From now on other rates hold; what is delayed stays so. */
    public synchronized void become(FaultRates next) {
        rates = next;
    }

    /** How often each kind has happened. */
    public synchronized Map<FaultKind, Long> counts() {
        return Map.copyOf(counts);
    }

    /** One step of time: delivers what is due, in the order in which it was delayed. */
    public void step() {
        due(++step).forEach(Runnable::run);
    }

    /** Delivers all that is delayed, now. */
    public void clear() {
        due(Long.MAX_VALUE).forEach(Runnable::run);
    }

    private synchronized List<Runnable> due(long limit) {
        List<Runnable> due = held.stream()
                .filter(one -> one.due() <= limit)
                .map(Held::happening)
                .toList();
        held.removeIf(one -> one.due() <= limit);
        return due;
    }

    /** Whether this kind of thing goes wrong now; each yes is counted. */
    synchronized boolean strikes(FaultKind kind) {
        boolean yes = rates.of(kind) > 0 && random.nextInt(1_000) < rates.of(kind) && held.size() < HELD;
        if (yes) {
            counts.merge(kind, 1L, Long::sum);
        }
        return yes;
    }

    /** Lets it happen one to so many steps from now. */
    synchronized void delay(Runnable happening) {
        held.add(new Held(step + 1 + random.nextInt(rates.maxSteps()), happening));
    }
}
