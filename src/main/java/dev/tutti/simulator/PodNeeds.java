package dev.tutti.simulator;

import dev.tutti.control.PodOrder;
import dev.tutti.model.Limits;
import dev.tutti.model.fleet.MigInstance;
import dev.tutti.model.fleet.MigLayout;
import dev.tutti.model.fleet.NicGroup;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a pod takes of its node, and how it will run.
 *
 * @param devices indexes of its devices on the node
 * @param milliPerDevice milli-GPU it takes of each of them
 * @param mig its MIG instance on its one device; null for none
 * @param grace longest time between the signal to stop and the kill
 * @param runtime how long its containers run; null for the cluster's default
 * @param exitCode with what they end by themselves
 * @param nics RDMA NICs it takes
 */
record PodNeeds(
        long cpuMilli,
        long memoryMib,
        List<Integer> devices,
        int milliPerDevice,
        @Nullable MigInstance mig,
        Duration grace,
        @Nullable Duration runtime,
        int exitCode,
        List<NicGroup> nics) {

    /** A pod's own variable that says with what exit code it ends in the simulated cluster. */
    static final String EXIT_CODE_VARIABLE = "SIMULATED_EXIT_CODE";

    PodNeeds {
        devices = List.copyOf(devices);
        nics = List.copyOf(nics);
    }

    PodNeeds with(List<NicGroup> others) {
        return new PodNeeds(cpuMilli, memoryMib, devices, milliPerDevice, mig, grace, runtime, exitCode, others);
    }

    static PodNeeds of(PodOrder order) {
        Integer seconds = order.expectedRuntimeSeconds();
        return new PodNeeds(
                order.cpuMilli(),
                order.memoryMib(),
                order.devices(),
                milli(order),
                order.mig(),
                Duration.ofSeconds(order.graceSeconds()),
                seconds == null ? null : Duration.ofSeconds(seconds),
                exitCode(order.template().env().get(EXIT_CODE_VARIABLE)),
                order.nics());
    }

    private static int milli(PodOrder order) {
        if (order.mig() != null) {
            return order.mig().units() * MigLayout.UNIT_MILLI;
        }
        return order.gpus() > 0 ? Limits.DEVICE_MILLI : order.gpuMilli();
    }

    /** Whether one device can serve this pod and the other at once, as far as MIG goes. */
    boolean goesBeside(PodNeeds other) {
        return mig == null || other.mig == null ? mig == other.mig : (mig.bits() & other.mig.bits()) == 0;
    }

    private static int exitCode(@Nullable String text) {
        return text != null && text.matches("[0-9]{1,3}") ? Math.min(255, Integer.parseInt(text)) : 0;
    }
}
