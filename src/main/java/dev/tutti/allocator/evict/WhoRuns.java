package dev.tutti.allocator.evict;

import dev.tutti.allocator.RunningBook;
import dev.tutti.allocator.RunningJob;
import dev.tutti.allocator.quota.QuotaCheck;
import dev.tutti.model.JobId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Who holds capacity, sorted once for as long as the book does not change; and who was asked to leave for whom before. */
final class WhoRuns {

    private final QuotaCheck quota;
    private final List<RunningJob> staying = new ArrayList<>();
    private final List<RunningJob> leaving = new ArrayList<>();
    private final Set<JobId> beneficiaries = new HashSet<>();
    /** By beneficiary, for as long as it waits; told by the rows of those who were asked. */
    private final Map<JobId, Set<JobId>> askedFor = new HashMap<>();

    /** The rows that it was told by. */
    private final Map<JobId, RunningJob> told = new HashMap<>();

    private @Nullable RunningBook book;
    private long changes = -1;
    private long nextUnprotectedMicros;
    private Rights rights;

    WhoRuns(QuotaCheck quota) {
        this.quota = quota;
        rights = new Rights(List.of(), quota);
    }

    void follow(RunningBook running, Predicate<JobId> isWaiting, long nowMicros) {
        if (running != book || running.changes() != changes || nowMicros >= nextUnprotectedMicros) {
            book = running;
            changes = running.changes();
            nextUnprotectedMicros = running.nextUnprotectedMicros(nowMicros);
            sort(running, nowMicros);
        }
        if (!askedFor.isEmpty()) {
            askedFor.keySet().removeIf(isWaiting.negate());
        }
    }

    private void sort(RunningBook running, long nowMicros) {
        staying.clear();
        leaving.clear();
        beneficiaries.clear();
        told.keySet().removeIf(job -> running.job(job) == null);
        for (RunningJob job : running.jobs()) {
            remember(job);
            if (job.leaving() || !job.leavingRanks().isEmpty()) {
                leaving.add(job);
                beneficiaries.addAll(job.beneficiaries());
            }
            if (!job.leaving()) {
                staying.add(job);
            }
        }
        leaving.sort(Comparator.comparing(RunningJob::job));
        rights = new Rights(
                running.jobs().stream()
                        .filter(job -> !job.beneficiaries().isEmpty()
                                || !job.leaving() && job.protectedUntilMicros() <= nowMicros)
                        .toList(),
                quota);
    }

    /** An old row tells nothing anew: a beneficiary may have started and wait again since it was written. */
    private void remember(RunningJob job) {
        if (!job.equals(told.put(job.job(), job))) {
            for (JobId beneficiary : job.askedFor()) {
                askedFor.computeIfAbsent(beneficiary, first -> new HashSet<>()).add(job.job());
            }
        }
    }

    boolean isNobody() {
        return staying.isEmpty() && leaving.isEmpty();
    }

    List<RunningJob> staying() {
        return staying;
    }

    List<RunningJob> leaving() {
        return leaving;
    }

    Set<JobId> beneficiaries() {
        return beneficiaries;
    }

    boolean isBeneficiary(JobId job) {
        return beneficiaries.contains(job);
    }

    boolean wasAskedFor(JobId beneficiary, JobId job) {
        return askedFor.getOrDefault(beneficiary, Set.of()).contains(job);
    }

    /** Over those who can be asked, and those who are leaving for somebody already. */
    Rights rights() {
        return rights;
    }
}
