package dev.tutti.simulator;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The containers of one pod on a machine, taken as one. It runs whatever the API says of its pod. */
final class Container {

    /** How far it has come. */
    enum State {
        ADMITTED,
        RUNNING,
        ENDED
    }

    final String podUid;
    final String podName;
    final PodNeeds needs;

    State state = State.ADMITTED;
    /** When the next thing happens by itself: the start, or the end. */
    Instant due;

    /** With what it ends at {@link #due}, or has ended. */
    int exitCode;

    /** When it started to run; before that, when it will. */
    Instant since;

    boolean stopping;
    Timeline.@Nullable Entry timer;

    Container(String podUid, String podName, PodNeeds needs, Instant startsAt) {
        this.podUid = podUid;
        this.podName = podName;
        this.needs = needs;
        this.due = startsAt;
        this.since = startsAt;
        this.exitCode = needs.exitCode();
    }
}
