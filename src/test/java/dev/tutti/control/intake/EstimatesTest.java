package dev.tutti.control.intake;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class EstimatesTest {

    private final AtomicLong nanos = new AtomicLong();
    private final Estimates estimates = new Estimates(nanos::get);

    @Test
    void answersAndTurnsAnErrorIntoNoAnswer() {
        assertThat(estimates.ask(() -> 7)).contains(7);
        assertThat(estimates.ask(() -> {
                    throw new IllegalStateException("broken");
                }))
                .isEmpty();
        assertThat(estimates.ask(() -> 8)).contains(8);
    }

    @Test
    void nobodyWaitsLongAndOneWhoseTimeIsOverIsNotBegun() throws InterruptedException {
        CountDownLatch end = new CountDownLatch(1);
        AtomicInteger begun = new AtomicInteger();
        long start = System.nanoTime();
        assertThat(estimates.ask(() -> {
                    begun.incrementAndGet();
                    return end.await(1, TimeUnit.MINUTES);
                }))
                .isEmpty();
        assertThat(estimates.ask(begun::incrementAndGet))
                .as("behind the slow one")
                .isEmpty();
        assertThat(TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start)).isLessThan(20);
        end.countDown();
        assertThat(estimates.ask(() -> 1)).contains(1);
        assertThat(begun).hasValue(1);
    }

    @Test
    void ofAllTimeOnlyAFifthIsSpent() {
        assertThat(estimates.ask(() -> nanos.addAndGet(TimeUnit.SECONDS.toNanos(3))))
                .isPresent();
        assertThat(estimates.ask(() -> 1))
                .as("three seconds spent, one and a bit earned")
                .isEmpty();
        nanos.addAndGet(TimeUnit.SECONDS.toNanos(6));
        assertThat(estimates.ask(() -> 1)).as("not yet").isEmpty();
        nanos.addAndGet(TimeUnit.SECONDS.toNanos(2));
        assertThat(estimates.ask(() -> 1)).contains(1);
    }

    @Test
    void endsWithTheServiceWhateverItIsAskedAndAnswersNobodyAfter() throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch ended = new CountDownLatch(1);
        Thread caller = new Thread(() -> estimates.ask(() -> {
            begun.countDown();
            try {
                return new CountDownLatch(1).await(1, TimeUnit.MINUTES);
            } finally {
                ended.countDown();
            }
        }));
        caller.start();
        assertThat(begun.await(20, TimeUnit.SECONDS)).isTrue();
        estimates.close();
        assertThat(ended.await(20, TimeUnit.SECONDS)).isTrue();
        assertThat(estimates.ask(() -> 1)).isEmpty();
        caller.join(20_000);
    }
}
