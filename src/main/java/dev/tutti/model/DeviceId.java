package dev.tutti.model;

/** Names a device or slot. Opaque to callers; stable for as long as the row lives. */
public record DeviceId(long value) implements Comparable<DeviceId> {

    @Override
    public int compareTo(DeviceId other) {
        return Long.compare(value, other.value);
    }

    @Override
    public String toString() {
        return Long.toString(value);
    }
}
