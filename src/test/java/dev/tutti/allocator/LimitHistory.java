package dev.tutti.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.testkit.scenario.AllocatorStage;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.IntFunction;

/** A random history of jobs in queues whose limits change now and then; the stage checks each of its decisions. */
abstract class LimitHistory {

    private static final int STEPS = 30;

    final Random random;
    final AllocatorStage stage;
    final List<String> names = new ArrayList<>();

    LimitHistory(int seed, AllocatorStage stage) {
        random = new Random(seed);
        this.stage = stage;
    }

    /** Plays the histories of these seeds, in which the limit must be met in more than so many decisions. */
    static void play(int from, int to, IntFunction<LimitHistory> ofSeed, String code, int met) {
        int limited = 0;
        int started = 0;
        int evictions = 0;
        for (int seed = from; seed < to; seed++) {
            LimitHistory history = ofSeed.apply(seed);
            for (int step = 0; step < STEPS; step++) {
                List<String> told = history.step();
                limited += told.stream().anyMatch(line -> line.contains(code)) ? 1 : 0;
                started += told.stream().anyMatch(line -> line.endsWith(" starts")) ? 1 : 0;
            }
            evictions += history.stage.evictions().size();
        }
        assertThat(limited).as("decisions in which a limit was met").isGreaterThan(met);
        assertThat(started).as("decisions in which somebody started").isGreaterThan(4 * (to - from));
        assertThat(evictions).isPositive();
    }

    private List<String> step() {
        int changes = random.nextInt(3);
        for (int i = 0; i < changes; i++) {
            switch (random.nextInt(8)) {
                case 0, 1, 2, 3 -> submit();
                case 4 -> leave();
                case 5 -> end();
                case 6 -> pass();
                default -> change();
            }
        }
        return decide();
    }

    private void submit() {
        String name = "j" + names.size();
        names.add(name);
        stage.submit(name + " " + job());
    }

    /** What the next job asks for. */
    abstract String job();

    /** Changes some limit. */
    abstract void change();

    void leave() {
        stage.leave();
    }

    void pass() {
        stage.pass(1_000_000L);
    }

    List<String> decide() {
        return stage.decide();
    }

    private void end() {
        List<String> running = List.copyOf(stage.runningNow());
        if (!running.isEmpty()) {
            stage.end(running.get(random.nextInt(running.size())));
        }
    }
}
