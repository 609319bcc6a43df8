package dev.tutti.simulator;

import dev.tutti.control.ClusterGateway.Outcome;
import dev.tutti.control.PodMarks;
import dev.tutti.control.PodOrder;
import dev.tutti.model.fleet.PodSighting;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** What the API server answers, and what it changes by that. It knows objects only, not what runs. */
final class ApiServer {

    private static final int NAME_LENGTH = 253;
    private static final Pattern NAME = Pattern.compile("[a-z0-9]([a-z0-9-]*[a-z0-9])?");

    private final ClusterState state;
    private final Kubelet kubelet;
    private final NodeController nodes;

    ApiServer(ClusterState state, Kubelet kubelet, NodeController nodes) {
        this.state = state;
        this.kubelet = kubelet;
        this.nodes = nodes;
    }

    Outcome create(PodOrder order) {
        PodObject there = state.podNamed(order.name());
        if (there != null) {
            return new Outcome.Exists(there.sighting());
        }
        if (order.name().length() > NAME_LENGTH || !NAME.matcher(order.name()).matches()) {
            return new Outcome.Refused("metadata.name: \"" + order.name() + "\" is not a DNS subdomain");
        }
        return new Outcome.Done(
                add(order.name(), true, PodNeeds.of(order), marks(order)).sighting());
    }

    /** Puts in a pod that somebody else made. */
    PodObject add(String name, boolean ours, PodNeeds needs, Map<String, String> annotations) {
        PodObject pod = new PodObject(name, state.nextUid(name), ours, needs, annotations);
        state.add(pod);
        return pod;
    }

    private static Map<String, String> marks(PodOrder order) {
        Map<String, String> marks = new TreeMap<>();
        marks.put(PodMarks.ALLOCATION, order.allocation().toString());
        marks.put(PodMarks.JOB, order.job().toString());
        marks.put(PodMarks.JOB_NAME, order.jobName());
        marks.put(PodMarks.ATTEMPT, Integer.toString(order.attempt()));
        marks.put(PodMarks.RANK, Integer.toString(order.rank()));
        marks.put(PodMarks.POD_SET, order.podSet());
        return marks;
    }

    Outcome bind(PodSighting seen, PodOrder order, long term) {
        PodObject pod = state.podNamed(seen.name());
        if (pod == null) {
            return new Outcome.Absent();
        }
        if (!pod.uid.equals(seen.uid())) {
            return new Outcome.Conflict("the UID is " + pod.uid + ", not " + seen.uid());
        }
        if (pod.node != null) {
            return new Outcome.Conflict("already assigned to node " + pod.node);
        }
        if (!Long.toString(pod.version).equals(seen.resourceVersion())) {
            return new Outcome.Conflict("the resource version is " + pod.version + ", not " + seen.resourceVersion());
        }
        pod.annotations.put(PodMarks.ALLOCATION, order.allocation().toString());
        pod.annotations.put(PodMarks.TERM, Long.toString(term));
        place(pod, order.node());
        return new Outcome.Done(pod.sighting());
    }

    void place(PodObject pod, String node) {
        pod.node = node;
        state.changed(pod);
        nodes.bound(pod);
        kubelet.noticeSoon(pod);
    }

    Outcome delete(String name, String uid) {
        PodObject pod = state.podNamed(name);
        if (pod == null || !pod.uid.equals(uid)) {
            return new Outcome.Absent();
        }
        if (pod.node == null) {
            state.removed(pod);
            return new Outcome.RemovedUnbound();
        }
        if (pod.isTerminal()) {
            state.removed(pod);
            return new Outcome.Done(pod.sighting().asDeleted());
        }
        if (!pod.terminating) {
            pod.terminating = true;
            state.changed(pod);
            kubelet.noticeSoon(pod);
        }
        return new Outcome.Done(pod.sighting());
    }

    /** Removes the object at once, whatever runs (kubectl delete --force). */
    void forceDelete(PodObject pod) {
        state.removed(pod);
        kubelet.noticeSoon(pod);
    }

    Outcome read(String name) {
        PodObject pod = state.podNamed(name);
        return pod == null ? new Outcome.Absent() : new Outcome.Done(pod.sighting());
    }

    Outcome touch(String name, long term) {
        PodObject pod = state.podNamed(name);
        if (pod == null) {
            return new Outcome.Absent();
        }
        pod.annotations.put(PodMarks.TERM, Long.toString(term));
        state.changed(pod);
        return new Outcome.Done(pod.sighting());
    }
}
