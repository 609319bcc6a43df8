package dev.tutti.model;

/** What one pod asks of devices. Closed: whole devices, a share of one device, or none at all. */
public sealed interface GpuRequest {

    /** Devices the pod touches. */
    int devices();

    /** Milli-GPU taken of each of those devices, 0 to 1000. */
    int milliPerDevice();

    /** Milli-GPU in all. */
    default long milli() {
        return (long) devices() * milliPerDevice();
    }

    /** A CPU-only pod. */
    record None() implements GpuRequest {
        @Override
        public int devices() {
            return 0;
        }

        @Override
        public int milliPerDevice() {
            return 0;
        }
    }

    /** {@code devices} whole GPUs, all for this pod. */
    record Whole(int devices) implements GpuRequest {
        public Whole {
            new Check().range(devices, 1, Limits.GPUS_PER_POD, "gpusPerPod").orThrow();
        }

        @Override
        public int milliPerDevice() {
            return Limits.DEVICE_MILLI;
        }
    }

    /** A share of one GPU: 1 to 1000 milli-GPU on a single device. */
    record Share(int milliPerDevice) implements GpuRequest {
        public Share {
            new Check()
                    .range(milliPerDevice, 1, Limits.DEVICE_MILLI, "gpuMilli")
                    .orThrow();
        }

        @Override
        public int devices() {
            return 1;
        }
    }
}
