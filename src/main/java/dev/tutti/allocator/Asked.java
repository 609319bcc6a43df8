package dev.tutti.allocator;

import dev.tutti.allocator.evict.Claim;
import dev.tutti.allocator.evict.Claimant;
import dev.tutti.allocator.evict.Evictions;
import dev.tutti.allocator.fit.Request;
import dev.tutti.model.JobId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** For which waiting jobs others are asked to leave, in one decision: those from before, and those of now. */
final class Asked {

    private final Evictions evictions;
    /** Claims of this decision, by the job that waits. */
    private final Map<JobId, Claim> claims = new LinkedHashMap<>();

    private final Set<JobId> beneficiaries = new HashSet<>();

    Asked(Evictions evictions) {
        this.evictions = evictions;
    }

    /** Takes in who holds capacity, and keeps what is leaving for those for whom it leaves. */
    void begin(Snapshot snapshot, RunningBook running, WaitingBook waiting, Desk desk, long nowMicros) {
        claims.clear();
        evictions.begin(snapshot, running, job -> waiting.toStart(job) != null, nowMicros);
        beneficiaries.clear();
        beneficiaries.addAll(evictions.beneficiaries());
        beneficiaries.addAll(waiting.beneficiaries());
        List<Claimant> claimants = new ArrayList<>();
        beneficiaries.stream()
                .map(waiting::toStart)
                .filter(Objects::nonNull)
                .sorted(WaitingJob.ORDER)
                .forEach(job -> {
                    JobClass kind = desk.kindOf(waiting.groupOf(job));
                    Request request = kind.request;
                    if (request != null && desk.keepsPromise(kind)) {
                        claimants.add(new Claimant(job, kind.queueNumber, request, kind.flavors));
                    }
                });
        if (!claimants.isEmpty()) {
            evictions.promise(claimants);
        }
    }

    /** Jobs for which others are leaving, or have left what is kept for them. */
    Set<JobId> beneficiaries() {
        return beneficiaries;
    }

    /** Whether nobody holds anything that could be taken. */
    boolean runsNobody() {
        return evictions.isIdle();
    }

    /**
     * The job as one that may ask others to leave; null when it may not. For one that had its try in vain nobody is looked for
     * again in the same round, but what leaves for those that it passes may be enough for it now.
     */
    @Nullable
    Claimant claimant(WaitingJob job, JobClass kind) {
        Request request = kind.request;
        boolean isSpent = hadItsTry(job.job()) && beneficiaries.isEmpty();
        if (evictions.isIdle() || isSpent || request == null || kind.queueNumber < 0 || kind.grows) {
            return null;
        }
        Claimant claimant = new Claimant(job, kind.queueNumber, request, kind.flavors);
        return evictions.mayClaim(claimant) ? claimant : null;
    }

    /** Shows a job, for which nothing is kept, what is kept for those that it passes; whether there is any. */
    boolean passesSome(WaitingJob job) {
        return evictions.hasPromises() && !evictions.areAside() && evictions.setPromisesAside(job);
    }

    /** Whether somebody had no try in the last decision, or in this one so far, because too many others had. */
    boolean somebodyLacksATry() {
        return evictions.somebodyLacksATry();
    }

    boolean hadItsTry(JobId job) {
        return evictions.hadItsTry(job);
    }

    /** Notes that somebody is not asked in this decision. */
    void putOff() {
        evictions.putOff();
    }

    void add(Claim claim) {
        claims.put(claim.job(), claim);
    }

    /** What was found in this decision for a job that waits for others to leave; null for any other. */
    @Nullable
    Claim claimOf(JobId job) {
        return claims.get(job);
    }

    /** Jobs for which something was found in this decision. */
    Set<JobId> claimants() {
        return claims.keySet();
    }

    /** All who are asked to leave now, in order of turn of those for whom. */
    List<Plan.Eviction> all() {
        return claims.values().stream()
                .flatMap(claim -> claim.evictions().stream())
                .toList();
    }
}
