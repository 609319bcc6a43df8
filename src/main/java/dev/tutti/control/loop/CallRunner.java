package dev.tutti.control.loop;

import java.util.List;

/** Runs calls to a cluster, side by side or one after the other, and returns when all of them have ended. */
@FunctionalInterface
public interface CallRunner {

    /** One after the other, in the caller's thread. */
    CallRunner INLINE = calls -> calls.forEach(Runnable::run);

    void runAll(List<Runnable> calls);
}
