package dev.tutti.control;

/**
 * Keys of the annotations that every gateway puts on pods, so that pod and ledger find each other and people can read
 * whose pod it is. Others can edit them: what is read back is hostile input.
 */
public final class PodMarks {

    /** Number of the allocation. */
    public static final String ALLOCATION = "tutti.dev/allocation";

    /** The term of the leader that last bound or touched the pod. */
    public static final String TERM = "tutti.dev/term";

    /** Id of the job. */
    public static final String JOB = "tutti.dev/job";

    /** The job's free-text name. */
    public static final String JOB_NAME = "tutti.dev/job-name";

    /** Attempt number. */
    public static final String ATTEMPT = "tutti.dev/attempt";

    /** Rank of the member in its job. */
    public static final String RANK = "tutti.dev/rank";

    /** Name of the pod set. */
    public static final String POD_SET = "tutti.dev/pod-set";

    private PodMarks() {}
}
