package dev.tutti.model;

import java.util.UUID;

/** Names a job. Opaque to callers; stable for as long as the row lives. */
public record JobId(UUID value) implements Comparable<JobId> {

    @Override
    public int compareTo(JobId other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value.toString();
    }
}
