package dev.tutti.simulator.experiment;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/** How long this thread was computing: what others do on the machine meanwhile does not count. */
final class CpuClock {

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private CpuClock() {}

    /** CPU time of this thread so far, in nanoseconds; time on the wall where the machine does not tell. */
    static long nanos() {
        return THREADS.isCurrentThreadCpuTimeSupported() ? THREADS.getCurrentThreadCpuTime() : System.nanoTime();
    }
}
