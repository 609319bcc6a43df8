package dev.tutti.control.loop;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/**
 * Says before each call of one claim whether it may still be made: only while the lease and the claim last (house rule
 * R6), and not when the cluster has stopped answering, so that a dead cluster costs a few timeouts and not hundreds.
 */
final class CallGuard {

    private static final int SILENCES = 3;

    private final BooleanSupplier mayAct;
    private final AtomicInteger silences = new AtomicInteger();

    CallGuard(BooleanSupplier mayAct) {
        this.mayAct = mayAct;
    }

    boolean mayCall() {
        return silences.get() < SILENCES && mayAct.getAsBoolean();
    }

    void answered(boolean answered) {
        if (answered) {
            silences.set(0);
        } else {
            silences.incrementAndGet();
        }
    }
}
