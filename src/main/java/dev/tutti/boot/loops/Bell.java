package dev.tutti.boot.loops;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Wakes one loop early. A ring is a hint only: a loop that misses it still turns when its idle time is over, so
 * nothing is ever lost by a lost ring. Many rings while the loop is busy count as one.
 */
public final class Bell {

    private final Semaphore rung = new Semaphore(0);

    public void ring() {
        if (rung.availablePermits() == 0) {
            rung.release();
        }
    }

    /** Waits until the bell rings, at most this long; forgets all rings so far. */
    void await(Duration atMost) throws InterruptedException {
        if (rung.tryAcquire(atMost.toMillis(), TimeUnit.MILLISECONDS)) {
            rung.drainPermits();
        }
    }
}
