package dev.tutti.model;

/** Names a node. Opaque to callers; stable for as long as the row lives. */
public record NodeId(long value) implements Comparable<NodeId> {

    @Override
    public int compareTo(NodeId other) {
        return Long.compare(value, other.value);
    }

    @Override
    public String toString() {
        return Long.toString(value);
    }
}
