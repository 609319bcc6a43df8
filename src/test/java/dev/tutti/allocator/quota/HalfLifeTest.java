package dev.tutti.allocator.quota;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.tutti.model.queue.PastShare;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

/** How the past fades. */
class HalfLifeTest {

    private static final long MICROS = 1_000_000;
    /** How far two ways to the same time may be apart: each step rounds once, and its factor a little. */
    private static final long ROUNDING = 2;

    @Test
    void afterAHalfLifeHalfIsLeft() {
        HalfLife day = new HalfLife(86_400);
        assertThat(day.mean(PastShare.WHOLE, 0, 86_400 * MICROS)).isEqualTo(PastShare.WHOLE / 2);
        assertThat(day.mean(PastShare.WHOLE, 0, 3 * 86_400 * MICROS)).isEqualTo(PastShare.WHOLE / 8);
        assertThat(day.mean(0, PastShare.WHOLE, 86_400 * MICROS)).isEqualTo(PastShare.WHOLE / 2);
        assertThat(day.mean(PastShare.WHOLE, 0, Long.MAX_VALUE)).isZero();
        assertThat(day.mean(7, PastShare.WHOLE, 0)).isEqualTo(7);
    }

    @Test
    void withoutAHalfLifeNothingIsRemembered() {
        assertThat(HalfLife.OFF.isOn()).isFalse();
        assertThat(HalfLife.OFF.mean(PastShare.WHOLE, PastShare.WHOLE, 1)).isZero();
        assertThatThrownBy(() -> new HalfLife(-1)).isInstanceOf(IllegalArgumentException.class);
    }

    @Property
    void fadesAsThePowersOfTwoDo(
            @ForAll @LongRange(min = 600, max = 2_592_000) long halfLife,
            @ForAll @LongRange(max = 10_000_000) long seconds) {
        double exact = PastShare.WHOLE * Math.pow(2, -(double) seconds / halfLife);
        assertThat((double) new HalfLife(halfLife).mean(PastShare.WHOLE, 0, seconds * MICROS))
                .isCloseTo(exact, within(1.0));
    }

    @Property
    void twoStepsAreOne(
            @ForAll @LongRange(min = 600, max = 2_592_000) long halfLife,
            @ForAll @LongRange(max = PastShare.WHOLE) long past,
            @ForAll @LongRange(max = PastShare.WHOLE) long now,
            @ForAll @LongRange(max = 5_000_000_000_000L) long first,
            @ForAll @LongRange(max = 5_000_000_000_000L) long second) {
        HalfLife halfLives = new HalfLife(halfLife);
        assertThat(halfLives.mean(halfLives.mean(past, now, first), now, second))
                .isCloseTo(halfLives.mean(past, now, first + second), within(ROUNDING));
    }

    @Property
    void staysBetweenThePastAndThePresent(
            @ForAll @LongRange(min = 600, max = 2_592_000) long halfLife,
            @ForAll @LongRange(max = PastShare.WHOLE) long past,
            @ForAll @LongRange(max = PastShare.WHOLE) long now,
            @ForAll @LongRange(max = 5_000_000_000_000L) long elapsed) {
        assertThat(new HalfLife(halfLife).mean(past, now, elapsed)).isBetween(Math.min(past, now), Math.max(past, now));
    }

    @Test
    void aStepIsNotLostBesideTheLongestHalfLife() {
        HalfLife month = new HalfLife(2_592_000);
        long oneOfAHundredThousand = PastShare.WHOLE / 100_000;
        long mean = 0;
        long steps = 2_592_000 / HalfLife.STEP.toSeconds();
        for (long step = 0; step < steps; step++) {
            mean = month.mean(mean, oneOfAHundredThousand, HalfLife.STEP.toSeconds() * MICROS);
        }
        assertThat(mean).isCloseTo(oneOfAHundredThousand / 2, within(oneOfAHundredThousand / 100));
    }
}
