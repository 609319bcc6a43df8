package dev.tutti.model.life;

/** Why a job waits, strongest first: the first that is true is the verdict. A closed list. */
public enum ReasonCode {
    MISCONFIGURED,
    NO_MATCHING_FLAVOR,
    EXCEEDS_LIMIT,
    SUSPENDED,
    DEPENDENCY,
    QUEUE_HELD,
    LANE_CLOSED,
    RUNNING_JOBS_LIMIT,
    USER_LIMIT,
    WHOLE_NODES_LIMIT,
    WAITING_FOR_QUOTA,
    WAITING_FOR_CAPACITY,
    FRAGMENTED,
    TOPOLOGY,
    BANDWIDTH,
    WAITING_FOR_VICTIMS,
    RESERVED_FOR_OTHER,
    LANE_RATE,
    BACKING_OFF,
    CLUSTER_UNREACHABLE,
    NOT_YET_EVALUATED
}
