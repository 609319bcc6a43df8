package dev.tutti.model.job;

import dev.tutti.model.Check;
import dev.tutti.model.Labels;
import dev.tutti.model.Limits;
import dev.tutti.model.fleet.MigLayouts;

/** What one pod asks of devices. Closed: whole devices, a share of one device, a MIG instance, or none at all. */
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

    /**
     * One MIG instance. How much of a GPU that is depends on the GPU: {@code 1g.10gb} is a quarter of one with 40 GB and
     * an eighth of one with 80 GB. Until a GPU is chosen it counts as the least it can be.
     *
     * @param profile the vendor's name of its size, one of {@link MigLayouts#PROFILES}
     */
    record Mig(String profile) implements GpuRequest {
        public Mig {
            new Check()
                    .that(
                            MigLayouts.numberOf(profile) >= 0,
                            "mig",
                            "is \"" + Labels.shown(profile) + "\"; " + remedy(profile))
                    .orThrow();
        }

        @Override
        public int devices() {
            return 1;
        }

        @Override
        public int milliPerDevice() {
            return MigLayouts.leastMilli(profile);
        }

        private static String remedy(String profile) {
            String plain = profile.replaceFirst("[-+.](me|gfx|me\\.all)$", "");
            return MigLayouts.numberOf(plain) >= 0
                    ? "variants with media or graphics engines are not given; ask for " + plain
                    : "give one of " + String.join(", ", MigLayouts.PROFILES);
        }
    }
}
