package dev.tutti.boot.loops;

import dev.tutti.control.Deposed;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One thread that turns one loop: at once again while there is work, else when its bell rings or its idle time is over.
 * A step that throws is logged and tried again after a growing pause, so that one bad row never ends the loop; losing
 * the leadership ends it.
 */
final class Loop {

    private static final Logger LOG = LoggerFactory.getLogger(Loop.class);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);
    private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
    private static final Duration STOP_TIME = Duration.ofSeconds(6);

    private final String name;
    private final Step step;
    private final Bell bell;
    private final Duration idleTime;
    private final Runnable afterWork;
    private final Thread thread;
    private volatile boolean stopping;

    /** One step of a loop. */
    @FunctionalInterface
    interface Step {

        /** Takes one step; returns how much was done, 0 when there was nothing to do. */
        int turn();
    }

    /**
     * @param bell wakes it early
     * @param idleTime longest wait after a step that found nothing to do
     * @param afterWork called after each step that did something; rings the bells of those who go on from there
     */
    Loop(String name, Step step, Bell bell, Duration idleTime, Runnable afterWork) {
        this.name = name;
        this.step = step;
        this.bell = bell;
        this.idleTime = idleTime;
        this.afterWork = afterWork;
        this.thread = new Thread(this::run, "tutti-" + name);
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    /** Asks the loop to end after its step, without waiting. */
    void stop() {
        stopping = true;
        bell.ring();
    }

    /** Waits for the step under way, a little longer than any transaction may take. */
    void join() {
        if (Thread.currentThread() == thread) {
            return;
        }
        try {
            thread.join(STOP_TIME.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        Duration pause = FIRST_PAUSE;
        while (!stopping) {
            try {
                pause = takeStep(pause);
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    private Duration takeStep(Duration pause) throws InterruptedException {
        try {
            if (step.turn() == 0) {
                bell.await(idleTime);
            } else {
                afterWork.run();
            }
            return FIRST_PAUSE;
        } catch (Deposed e) {
            LOG.warn("{} ends: {}", name, e.getMessage());
            stopping = true;
            return pause;
        } catch (RuntimeException e) {
            LOG.error("a step of {} failed; the next one in {} ms", name, pause.toMillis(), e);
            Thread.sleep(pause.toMillis());
            Duration longer = pause.multipliedBy(2);
            return longer.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : longer;
        }
    }
}
