package dev.tutti.model.life;

/** How far one member of an attempt has come. It only ever moves to a later constant; a late report is ignored. */
public enum MemberPhase {
    /** Committed in the ledger and not called: its pod is made when other sets of its job have come far enough. */
    WAITING,
    /** Committed in the ledger; a binding may or may not be on its way. */
    COMMITTED,
    /** The pod has its node. */
    BOUND,
    /** The kubelet reports it running. */
    RUNNING,
    /** The pod is gone and nobody reported its containers ended: its devices stay held (quarantine). */
    LOST,
    /** Ended well, and the kubelet said so. */
    SUCCEEDED,
    /** All containers terminated, at least one badly, and the kubelet said so; or the node refused the pod. */
    FAILED,
    /** Confirmed gone without a result: it never ran, or quarantine is over. */
    GONE;

    /** Whether the end is confirmed, so that the member's devices may be given to others (house rule R1). */
    public boolean isReleased() {
        return compareTo(SUCCEEDED) >= 0;
    }

    /** Whether it is running or once was. */
    public boolean hasStarted() {
        return compareTo(RUNNING) >= 0;
    }
}
