package dev.tutti.simulator;

import dev.tutti.control.PodMarks;
import dev.tutti.model.AllocationId;
import dev.tutti.model.fleet.PodSighting;
import dev.tutti.model.fleet.PodSighting.Phase;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A pod as the API shows it. What really runs is a {@link Container}; the two can disagree. */
final class PodObject {

    final String name;
    final String uid;
    /** Whether Tutti made it; what others write on their own pods says nothing about allocations. */
    final boolean ours;

    final PodNeeds needs;
    final Map<String, String> annotations;

    long version;

    @Nullable
    String node;

    Phase phase = Phase.PENDING;
    boolean terminating;

    @Nullable
    Integer exitCode;

    String reason = "";

    /** When the object goes by itself; null while it stays. */
    Timeline.@Nullable Entry removal;

    PodObject(String name, String uid, boolean ours, PodNeeds needs, Map<String, String> annotations) {
        this.name = name;
        this.uid = uid;
        this.ours = ours;
        this.needs = needs;
        this.annotations = new TreeMap<>(annotations);
    }

    boolean isTerminal() {
        return phase == Phase.SUCCEEDED || phase == Phase.FAILED || phase == Phase.REJECTED;
    }

    /** All containers have ended, the last of them so. */
    void ended(int code, String why) {
        phase = code == 0 ? Phase.SUCCEEDED : Phase.FAILED;
        exitCode = code;
        reason = why;
    }

    PodSighting sighting() {
        return new PodSighting(
                name, uid, Long.toString(version), allocation(), node, phase, terminating, false, exitCode, reason);
    }

    private @Nullable AllocationId allocation() {
        String text = annotations.get(PodMarks.ALLOCATION);
        boolean sound = ours && text != null && text.matches("[1-9][0-9]{0,17}");
        return sound && text != null ? new AllocationId(Long.parseLong(text)) : null;
    }
}
