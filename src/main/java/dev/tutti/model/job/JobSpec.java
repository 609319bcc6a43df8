package dev.tutti.model.job;

import dev.tutti.model.Check;
import dev.tutti.model.JobId;
import dev.tutti.model.Labels;
import dev.tutti.model.Limits;
import dev.tutti.model.Names;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a user asks for, as it was asked. Whether it could ever run is not decided here.
 *
 * @param name free text, 1 to 128 code points without control characters; need not be unique
 * @param queue id or path of a leaf queue
 * @param lane its lane
 * @param priority within the lane, higher is stronger
 * @param podSets 1 to {@link Limits#POD_SETS} sets with different names; all of them form one gang
 * @param topology how near the pods want to be
 * @param expectedRuntimeSeconds how long it will run, as far as the user knows; simulated pods end after it
 * @param graceSeconds time between the signal to stop and the kill, 0 to 3600
 * @param maxFailures failures of its own after which it is FAILED; lost nodes do not count
 * @param labels the caller's own labels
 * @param limits how long it may take
 * @param suspended whether it begins suspended, and so waits until it is resumed
 * @param dependsOn the jobs that must have succeeded before it is considered, at most {@link Limits#PARENTS}, each once
 * @param preemption on what terms it can be a victim; its grace stands beside, since it holds for every stop
 */
public record JobSpec(
        String name,
        String queue,
        Lane lane,
        int priority,
        List<PodSet> podSets,
        TopologyWish topology,
        @Nullable Integer expectedRuntimeSeconds,
        int graceSeconds,
        int maxFailures,
        Map<String, String> labels,
        TimeLimits limits,
        boolean suspended,
        List<JobId> dependsOn,
        Preemption preemption) {

    private static final int FAILURES = 1_000;
    private static final int GRACE_SECONDS = 3_600;
    private static final int QUEUE_LENGTH = 1_024;

    public JobSpec {
        Objects.requireNonNull(lane); // what is stored may be anything
        Objects.requireNonNull(topology);
        podSets = List.copyOf(podSets);
        labels = Map.copyOf(labels);
        dependsOn = List.copyOf(Objects.requireNonNullElse(dependsOn, List.of()));
        limits = Objects.requireNonNullElse(limits, TimeLimits.NONE); // specs stored without any
        preemption = Objects.requireNonNullElse(preemption, Preemption.ALWAYS); // the same
        Check check = new Check()
                .that(Names.isFreeText(name, Limits.NAME_LENGTH), "name", Names.notFreeText(name, Limits.NAME_LENGTH))
                .that(
                        Names.isFreeText(queue, QUEUE_LENGTH),
                        "queue",
                        "is \"" + Labels.shown(queue) + "\"; give the id or the path of a leaf queue")
                .range(priority, -Limits.PRIORITY, Limits.PRIORITY, "priority")
                .that(!podSets.isEmpty(), "podSets", "is empty; give 1 to " + Limits.POD_SETS + " pod sets")
                .atMost(podSets.size(), Limits.POD_SETS, "pod sets", "podSets")
                .that(haveDistinctNames(podSets), "podSets", "two sets have the same name; name each differently")
                .range(graceSeconds, 0, GRACE_SECONDS, "preemption.graceSeconds")
                .range(maxFailures, 0, FAILURES, "retry.maxFailures");
        check.that(
                        dependsOn.size() <= Limits.PARENTS,
                        "dependsOn",
                        "names " + dependsOn.size() + " jobs; give at most " + Limits.PARENTS)
                .that(
                        new HashSet<>(dependsOn).size() == dependsOn.size(),
                        "dependsOn",
                        "names a job twice; name each once");
        if (expectedRuntimeSeconds != null) {
            check.range(expectedRuntimeSeconds, 1, Limits.SECONDS, "expectedRuntimeSeconds");
        }
        preemption.check(lane, check);
        checkAffinity(check, podSets);
        Stages.check(check, podSets);
        checkLabels(check, labels);
        check.orThrow();
    }

    /** A job that waits in its queue at once and may take as long as it takes. */
    public JobSpec(
            String name,
            String queue,
            Lane lane,
            int priority,
            List<PodSet> podSets,
            TopologyWish topology,
            @Nullable Integer expectedRuntimeSeconds,
            int graceSeconds,
            int maxFailures,
            Map<String, String> labels) {
        this(
                name,
                queue,
                lane,
                priority,
                podSets,
                topology,
                expectedRuntimeSeconds,
                graceSeconds,
                maxFailures,
                labels,
                TimeLimits.NONE,
                false,
                List.of(),
                Preemption.ALWAYS);
    }

    /** The same job with other values of what may change after it was submitted. */
    public JobSpec with(Lane otherLane, int otherPriority, TimeLimits otherLimits, Map<String, String> otherLabels) {
        return new JobSpec(
                name,
                queue,
                otherLane,
                otherPriority,
                podSets,
                topology,
                expectedRuntimeSeconds,
                graceSeconds,
                maxFailures,
                otherLabels,
                otherLimits,
                suspended,
                dependsOn,
                preemption);
    }

    /** The same job with these pod sets. */
    public JobSpec with(List<PodSet> others) {
        return new JobSpec(
                name,
                queue,
                lane,
                priority,
                others,
                topology,
                expectedRuntimeSeconds,
                graceSeconds,
                maxFailures,
                labels,
                limits,
                suspended,
                dependsOn,
                preemption);
    }

    /** The same job, depending on these jobs too. */
    public JobSpec after(List<JobId> others) {
        List<JobId> all = new ArrayList<>(dependsOn);
        all.addAll(others);
        return new JobSpec(
                name,
                queue,
                lane,
                priority,
                podSets,
                topology,
                expectedRuntimeSeconds,
                graceSeconds,
                maxFailures,
                labels,
                limits,
                suspended,
                all,
                preemption);
    }

    /** Pods wanted in all sets together. */
    public int pods() {
        return podSets.stream().mapToInt(PodSet::count).sum();
    }

    /** Milli-GPU wanted in all sets together. */
    public long gpuMilli() {
        return podSets.stream()
                .mapToLong(set -> set.count() * set.gpus().milli())
                .sum();
    }

    private static boolean haveDistinctNames(List<PodSet> podSets) {
        Set<String> seen = new HashSet<>();
        return podSets.stream().allMatch(set -> seen.add(set.name()));
    }

    private static void checkAffinity(Check check, List<PodSet> podSets) {
        List<String> names = podSets.stream().map(PodSet::name).toList();
        for (int s = 0; s < podSets.size(); s++) {
            List<SetAffinity> affinity = podSets.get(s).affinity();
            for (int i = 0; i < affinity.size(); i++) {
                String other = affinity.get(i).podSet();
                check.that(
                        names.contains(other),
                        "podSets[" + s + "].affinity[" + i + "].podSet",
                        "there is no pod set \"" + Labels.shown(other) + "\"; give one of " + String.join(", ", names));
            }
        }
    }

    private static void checkLabels(Check check, Map<String, String> labels) {
        check.atMost(labels.size(), Limits.LABELS, "labels", "labels");
        labels.forEach((key, value) -> check.that(
                        Names.isFreeText(key, Limits.NAME_LENGTH),
                        "labels",
                        "has the key \"" + Labels.shown(key) + "\"; give keys of 1 to " + Limits.NAME_LENGTH
                                + " characters, none of them a control character")
                .that(
                        value.isEmpty() || Names.isFreeText(value, 2 * Limits.NAME_LENGTH),
                        "labels." + key,
                        "is \"" + Labels.shown(value) + "\"; give at most " + 2 * Limits.NAME_LENGTH
                                + " characters, none of them a control character"));
    }
}
