package dev.tutti.control.intake;

import dev.tutti.allocator.Growth;
import dev.tutti.model.InvalidInput;
import dev.tutti.model.Labels;
import dev.tutti.model.Violation;
import dev.tutti.model.job.JobSpec;
import dev.tutti.model.job.PodSet;
import dev.tutti.model.life.JobLife;
import dev.tutti.model.life.JobRun;
import dev.tutti.model.life.JobState;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What a wish for another number of pods makes of a job. It decides whether a job in a state may change so, and who leaves
 * a live one; it gives nobody a place.
 *
 * @param before what the job asked for
 * @param after what it asks for now
 * @param was its run
 * @param is its run now: members that are too many are asked to leave
 */
public record Scaling(JobSpec before, JobSpec after, JobRun was, JobRun is) {

    /**
     * The wish for {@code count} pods of one set.
     *
     * @param podSet its name; null for the only one
     * @throws InvalidInput when there is no such set, or it never has so many pods
     */
    public static Scaling of(JobSpec spec, JobRun run, @Nullable String podSet, int count) {
        PodSet set = set(spec, podSet);
        List<PodSet> sets = new ArrayList<>(spec.podSets());
        sets.replaceAll(one -> one == set ? one.scaled(count) : one);
        return new Scaling(spec, spec.with(sets), run, JobLife.shrink(run, set.name(), count));
    }

    /** Whether nothing changes. */
    public boolean isEmpty() {
        return before.equals(after) && was.equals(is);
    }

    /** Why it may not be so now: a job that stops has no size. */
    public Optional<Violation> notNow() {
        if (was.state() == JobState.STOPPING) {
            return Optional.of(new Violation(
                    "count", "cannot change while the job is STOPPING; wait until it is QUEUED or SUSPENDED"));
        }
        return was.state().isLive() && after.pods() > before.pods() && !Growth.isPossible(after.podSets(), changed())
                ? Optional.of(new Violation(
                        "count",
                        "of pod set " + changed().name() + " cannot grow while the job is " + was.state()
                                + ", because its pods depend on each other's places by a segment or an affinity;"
                                + " suspend the job, scale it when it is SUSPENDED, and resume it"))
                : Optional.empty();
    }

    private PodSet changed() {
        return after.podSets().stream()
                .filter(set -> !before.podSets().contains(set))
                .findFirst()
                .orElseThrow();
    }

    /** How many pods of each set were wanted, and are. */
    public SpecChange change() {
        return new SpecChange(before, after);
    }

    private static PodSet set(JobSpec spec, @Nullable String name) {
        List<PodSet> sets = spec.podSets();
        if (name == null && sets.size() == 1) {
            return sets.get(0);
        }
        String names = sets.stream().map(PodSet::name).collect(Collectors.joining(", "));
        return sets.stream()
                .filter(set -> set.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new InvalidInput(List.of(new Violation(
                        "podSet",
                        (name == null ? "is missing" : "is \"" + Labels.shown(name) + "\"") + "; give one of "
                                + names))));
    }
}
