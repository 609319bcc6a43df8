package dev.tutti.control.intake;

import dev.tutti.model.Violation;
import dev.tutti.model.fleet.TopologyLevels;
import dev.tutti.model.job.JobSpec;
import dev.tutti.model.job.PodSet;
import dev.tutti.model.job.TopologySegment;
import dev.tutti.model.job.TopologyWish;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Whether the topology wishes of a job can all be kept: every level is configured, none that a pod set requires is wider
 * than what is required of it anyway, and no sets are apart that must share a domain. Whether there is room is not asked.
 */
final class TopologyCheck {

    private final TopologyLevels levels;
    private final List<Violation> violations = new ArrayList<>();

    private TopologyCheck(TopologyLevels levels) {
        this.levels = levels;
    }

    static List<Violation> of(JobSpec spec, TopologyLevels levels) {
        TopologyCheck check = new TopologyCheck(levels);
        check.known(spec.topology(), "topology.");
        for (int s = 0; s < spec.podSets().size(); s++) {
            check.podSet(spec.podSets().get(s), spec.topology(), "podSets[" + s + "].topology.");
            check.affinity(spec.podSets().get(s), "podSets[" + s + "].affinity[");
        }
        check.violations.addAll(AffinityCheck.of(spec, levels));
        return check.violations;
    }

    private void podSet(PodSet set, TopologyWish ofJob, String path) {
        TopologyWish own = set.topology();
        known(own, path);
        notWider(own.required(), path + "required", ofJob.required(), "the job requires");
        TopologySegment segment = set.segment();
        if (segment != null) {
            String field = path + "segment.level";
            known(segment.level(), field);
            String required = own.required() == null ? ofJob.required() : own.required();
            notWider(segment.level(), field, required, "all pods of the set are required to share");
        }
    }

    private void affinity(PodSet set, String path) {
        for (int i = 0; i < set.affinity().size(); i++) {
            known(set.affinity().get(i).level(), path + i + "].level");
        }
    }

    private void known(TopologyWish wish, String path) {
        known(wish.required(), path + "required");
        known(wish.preferred(), path + "preferred");
    }

    private void known(@Nullable String level, String field) {
        if (level != null && levels.depthOf(level) < 0) {
            violations.add(new Violation(
                    field, "there is no level \"" + level + "\"; give one of " + String.join(", ", levels.names())));
        }
    }

    private void notWider(@Nullable String level, String field, @Nullable String limit, String who) {
        if (level == null || limit == null) {
            return;
        }
        int depth = levels.depthOf(level);
        if (depth >= 0 && depth < levels.depthOf(limit)) {
            violations.add(new Violation(
                    field,
                    "is " + level + ", which is wider than the " + limit + " that " + who + "; give " + limit
                            + " or a narrower level"));
        }
    }
}
