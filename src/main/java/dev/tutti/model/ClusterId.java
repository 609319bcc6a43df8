package dev.tutti.model;

/** Names a cluster. Opaque to callers; stable for as long as the row lives. */
public record ClusterId(long value) implements Comparable<ClusterId> {

    @Override
    public int compareTo(ClusterId other) {
        return Long.compare(value, other.value);
    }

    @Override
    public String toString() {
        return Long.toString(value);
    }
}
