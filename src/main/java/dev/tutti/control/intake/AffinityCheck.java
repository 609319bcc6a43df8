package dev.tutti.control.intake;

import dev.tutti.model.Violation;
import dev.tutti.model.fleet.TopologyLevels;
import dev.tutti.model.job.JobSpec;
import dev.tutti.model.job.PodSet;
import dev.tutti.model.job.SetAffinity;
import dev.tutti.model.job.SetAffinity.Kind;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.List;

/**
 * Whether sets of a job are wanted apart that have to share a domain anyway: because all pods of the job stay in one, or
 * because other affinities put them together, directly or by way of further sets. Such a job would wait for ever,
 * whatever the fleet. Affinities of levels that are not configured are passed over.
 */
final class AffinityCheck {

    private static final int UNKNOWN = -1;

    private final List<PodSet> sets;
    private final TopologyLevels levels;
    private final List<String> names;
    private final List<Pair> together = new ArrayList<>();
    private final List<Violation> violations = new ArrayList<>();

    /** Two sets that share a domain of this depth. */
    private record Pair(int a, int b, int depth) {}

    private AffinityCheck(JobSpec spec, TopologyLevels levels) {
        this.sets = spec.podSets();
        this.levels = levels;
        this.names = sets.stream().map(PodSet::name).toList();
        for (int s = 0; s < sets.size(); s++) {
            for (SetAffinity one : sets.get(s).affinity()) {
                if (one.kind() == Kind.TOGETHER) {
                    together.add(new Pair(s, names.indexOf(one.podSet()), levels.depthOf(one.level())));
                }
            }
        }
    }

    static List<Violation> of(JobSpec spec, TopologyLevels levels) {
        AffinityCheck check = new AffinityCheck(spec, levels);
        for (int s = 0; s < check.sets.size(); s++) {
            List<SetAffinity> affinity = check.sets.get(s).affinity();
            for (int i = 0; i < affinity.size(); i++) {
                if (affinity.get(i).kind() == Kind.APART) {
                    check.apart(s, affinity.get(i), spec, "podSets[" + s + "].affinity[" + i + "].level");
                }
            }
        }
        return check.violations;
    }

    private void apart(int set, SetAffinity apart, JobSpec spec, String field) {
        int depth = levels.depthOf(apart.level());
        int whole = depthOfWhole(spec);
        int shared = shared(set, names.indexOf(apart.podSet()));
        if (depth == UNKNOWN) {
            return;
        }
        if (depth <= whole) {
            violations.add(new Violation(field, "is " + apart.level() + ", but " + whyWhole(spec, nameOf(whole))));
        } else if (depth <= shared) {
            violations.add(new Violation(
                    field,
                    "is " + apart.level() + ", but TOGETHER puts \"" + names.get(set) + "\" and \"" + apart.podSet()
                            + "\" in one " + nameOf(shared) + "; " + narrowerThan(shared)
                            + "take one of the two affinities away"));
        }
    }

    /** Depth of the domain that all pods of the job stay in: what it requires, else what gangs do not cross unasked. */
    private int depthOfWhole(JobSpec spec) {
        if (spec.topology().required() != null) {
            return levels.depthOf(spec.topology().required());
        }
        return sets.stream()
                .map(set -> set.topology().required())
                .mapToInt(level -> level == null ? levels.boundary() : levels.depthOf(level))
                .reduce(levels.boundary(), Math::min);
    }

    private static String whyWhole(JobSpec spec, String level) {
        return spec.topology().required() != null
                ? "the job requires all its pods to share one " + level + "; give a narrower level"
                : "a job that asks for nothing wider stays in one " + level
                        + "; give a narrower level, or ask with topology.required";
    }

    /** Depth of the narrowest domain that the two sets have to share; {@link #UNKNOWN} when they share none. */
    private int shared(int a, int b) {
        for (int depth = levels.depthOf(TopologyLevels.NODE_LEVEL); depth >= 0; depth--) {
            if (around(a, depth).get(b)) {
                return depth;
            }
        }
        return UNKNOWN;
    }

    /** The sets that share a domain of this depth with {@code set}: its partners, their partners, and so on. */
    private BitSet around(int set, int depth) {
        BitSet found = new BitSet();
        Deque<Integer> open = new ArrayDeque<>(List.of(set));
        found.set(set);
        while (!open.isEmpty()) {
            int from = open.remove();
            for (Pair pair : together) {
                int to = pair.a == from ? pair.b : pair.b == from ? pair.a : from;
                if (pair.depth >= depth && !found.get(to)) {
                    found.set(to);
                    open.add(to);
                }
            }
        }
        return found;
    }

    private String narrowerThan(int depth) {
        return depth == levels.depthOf(TopologyLevels.NODE_LEVEL)
                ? ""
                : "give a level narrower than " + nameOf(depth) + ", or ";
    }

    private String nameOf(int depth) {
        return levels.names().get(depth);
    }
}
