package dev.tutti.simulator.faults;

/** What can go wrong between Tutti and a cluster. */
public enum FaultKind {
    /** The call never arrived; its outcome is unknown. */
    REQUEST_LOST,
    /** The call arrives some steps later, when its caller has long given up; its outcome is unknown. */
    REQUEST_LATE,
    /** The call was carried out and its answer lost; its outcome is unknown. */
    REPLY_LOST,
    /** The cluster asks to wait. */
    BUSY,
    /** A list got no answer. */
    LIST_UNREACHABLE,
    /** A list is answered with what an earlier one said, as a replica that lags behind does. */
    LIST_OLD,
    /** An event comes some steps late, after younger ones. */
    EVENT_LATE,
    /** An event comes again some steps later. */
    EVENT_REPEATED,
    /** An event never comes; some steps later the watch tells of a gap. */
    EVENT_LOST
}
