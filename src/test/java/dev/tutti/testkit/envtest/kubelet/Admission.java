package dev.tutti.testkit.envtest.kubelet;

import java.util.List;
import java.util.Map;

/** What a kubelet says to a pod that was bound to it. */
sealed interface Admission {

    /** Taken; each container, by name, has these devices. */
    record Taken(Map<String, List<String>> devicesByContainer) implements Admission {}

    /** Not taken: the pod fails with a kubelet's own reason and words. */
    record Refused(String reason, String message) implements Admission {

        static Refused outOf(String resource, long requested, long used, long capacity) {
            return new Refused(
                    "OutOf" + resource,
                    "Pod was rejected: Node didn't have enough resource: %s, requested: %d, used: %d, capacity: %d"
                            .formatted(resource, requested, used, capacity));
        }

        static Refused tooFewDevices(int requested, int available) {
            return new Refused(
                    "UnexpectedAdmissionError",
                    "Pod was rejected: Allocate failed due to requested number of devices unavailable for "
                            + NodeObjects.GPU + ". Requested: " + requested + ", Available: " + available
                            + ", which is unexpected");
        }
    }
}
