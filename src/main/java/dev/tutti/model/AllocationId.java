package dev.tutti.model;

/** Names the allocation of one member. Opaque to callers; stable for as long as the row lives. */
public record AllocationId(long value) implements Comparable<AllocationId> {

    @Override
    public int compareTo(AllocationId other) {
        return Long.compare(value, other.value);
    }

    @Override
    public String toString() {
        return Long.toString(value);
    }
}
