package dev.tutti.model;

/** Names a queue. Opaque to callers; stable for as long as the row lives. */
public record QueueId(long value) implements Comparable<QueueId> {

    @Override
    public int compareTo(QueueId other) {
        return Long.compare(value, other.value);
    }

    @Override
    public String toString() {
        return Long.toString(value);
    }
}
