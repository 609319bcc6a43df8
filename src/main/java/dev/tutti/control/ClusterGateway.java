package dev.tutti.control;

import dev.tutti.model.ClusterId;
import dev.tutti.model.fleet.NodeSighting;
import dev.tutti.model.fleet.PodSighting;
import java.time.Duration;
import java.util.List;

/**
 * One cluster. Every call has a timeout, is repeatable, and never retries by itself; a call that got no answer says
 * {@link Outcome.Unknown}. Calls never throw for what a cluster may answer.
 */
public interface ClusterGateway extends AutoCloseable {

    ClusterId cluster();

    /** Creates the pod, unbound. An existing pod of that name is {@link Outcome.Exists}, whoever made it. */
    Outcome create(PodOrder order);

    /**
     * Binds {@code pod} to {@code node}, provided its UID and resource version are still the ones seen.
     *
     * @param term the leader's term, stamped on the pod with the allocation in the same write
     */
    Outcome bind(PodSighting pod, PodOrder order, long term);

    /**
     * Asks for the deletion of exactly this pod with its own grace; never with grace 0.
     *
     * @param uid the pod's UID; another pod of that name is left alone
     */
    Outcome delete(String name, String uid);

    /** Reads one pod: {@link Outcome.Done} with what is there, or {@link Outcome.Absent}. */
    Outcome read(String name);

    /**
     * Changes the pod without effect so that its resource version moves on: a bind that an old leader still has on its
     * way is then stale.
     */
    Outcome touch(String name, long term);

    /** All pods of Tutti in this cluster now, unbounded only by what Tutti itself created; throws {@link Unreachable}. */
    List<PodSighting> pods();

    /** All nodes now; throws {@link Unreachable}. */
    List<NodeSighting> nodes();

    /** Starts the watches: what they say is handed to {@code inbox}, which only takes notes and returns at once. */
    void watch(Inbox inbox);

    @Override
    void close();

    /** Where watches put what they see. */
    interface Inbox {
        void pod(PodSighting pod);

        void node(NodeSighting node);

        /** The watch was broken and something may have been missed: list again. */
        void gap();
    }

    /** The cluster did not answer a list. */
    final class Unreachable extends RuntimeException {
        private static final long serialVersionUID = 1L;

        public Unreachable(String message, Throwable cause) {
            super(message, cause);
        }
    }

    /** What became of a call. */
    sealed interface Outcome {

        /** It worked; this is the pod now. After a delete: still there, ending. */
        record Done(PodSighting pod) implements Outcome {}

        /** A pod of that name is there already. */
        record Exists(PodSighting pod) implements Outcome {}

        /** The delete removed a pod that had never been bound: it never ran. */
        record RemovedUnbound() implements Outcome {}

        /** There is no such pod, or it has another UID. */
        record Absent() implements Outcome {}

        /** Seen state was old (409): read again and decide again. */
        record Conflict(String why) implements Outcome {}

        /** The cluster understood and will not do it: admission, quota, an invalid template. */
        record Refused(String why) implements Outcome {}

        /** It asks to wait (429, 503). */
        record Busy(Duration retryAfter) implements Outcome {}

        /** No answer: it may have happened or may yet happen. */
        record Unknown(String why) implements Outcome {}
    }
}
