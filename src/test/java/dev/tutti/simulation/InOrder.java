package dev.tutti.simulation;

import dev.tutti.model.JobId;
import dev.tutti.model.job.GpuRequest;
import dev.tutti.model.job.JobSpec;
import dev.tutti.model.job.PodSet;
import dev.tutti.model.life.JobState;
import dev.tutti.testkit.Truth;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * I13: no job takes a flavor before it has waited for those that it names first, counted anew in each attempt. Looked at are jobs
 * of one pod that could always run on the first.
 */
final class InOrder {

    /** Before, one cluster may be known without the other. */
    private static final long ALL_ARE_KNOWN = 100;

    private final World world;
    private final Map<JobId, Long> waited = new HashMap<>();
    private final Map<JobId, Integer> attempts = new HashMap<>();
    private long kept;
    private long fellBack;

    InOrder(World world) {
        this.world = world;
    }

    /** Attempts on the first of two flavors while the second was closed. */
    long kept() {
        return kept;
    }

    /** Attempts on the second flavor after the wait for the first. */
    long fellBack() {
        return fellBack;
    }

    void check() {
        world.states.forEach((job, state) -> {
            if (state == JobState.QUEUED) {
                waited.merge(job, 1L, Long::sum);
            }
        });
        for (Truth.Job job : world.live) {
            Integer last = attempts.put(job.id(), job.attempt());
            if (last == null || last != job.attempt()) {
                Long seconds = waited.remove(job.id());
                begins(job, seconds == null ? 0 : seconds);
            } else {
                waited.remove(job.id());
            }
        }
    }

    private void begins(Truth.Job job, long seconds) {
        JobSpec spec = world.users.spec(job.id());
        Integer after = spec == null ? null : spec.limits().fallbackAfterSeconds();
        if (after == null || after == 0 || !canRunOnFirst(spec) || world.tape.tick <= ALL_ARE_KNOWN) {
            return;
        }
        List<String> flavors = spec.podSets().get(0).flavors();
        for (Truth.Member member : job.members()) {
            int place = flavors.indexOf(member.flavor());
            if (seconds < (long) place * after) {
                throw world.violation(
                        "I13",
                        job.id() + " takes " + member.flavor() + " of " + flavors + " after " + seconds + " s, not "
                                + after);
            }
            kept += place == 0 && seconds < after ? 1 : 0;
            fellBack += place;
        }
    }

    /** Both clusters' queues have quota of h100, and each of its nodes holds any one pod; MIG is not looked at. */
    private static boolean canRunOnFirst(JobSpec spec) {
        PodSet set = spec.podSets().get(0);
        return set.count() == 1
                && set.flavors().size() > 1
                && set.flavors().get(0).equals("h100")
                && !(set.gpus() instanceof GpuRequest.Mig);
    }
}
