package dev.tutti.testkit.envtest.kubelet;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One container's time on one device, as it truly was, whatever anybody reported. Two uses of one device must never
 * overlap.
 *
 * @param endedAt null while the container runs
 */
public record DeviceUse(
        String node,
        String deviceId,
        String podUid,
        String podName,
        Instant startedAt,
        @Nullable Instant endedAt) {

    /** Whether both held the same device at one instant. */
    public boolean overlaps(DeviceUse other) {
        return deviceId.equals(other.deviceId) && startsBeforeEndOf(other) && other.startsBeforeEndOf(this);
    }

    private boolean startsBeforeEndOf(DeviceUse other) {
        return other.endedAt == null || startedAt.isBefore(other.endedAt);
    }
}
