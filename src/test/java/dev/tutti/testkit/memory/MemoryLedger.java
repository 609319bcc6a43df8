package dev.tutti.testkit.memory;

import dev.tutti.allocator.Plan;
import dev.tutti.control.Actor;
import dev.tutti.control.Backoff;
import dev.tutti.control.BindTask;
import dev.tutti.control.Ledger;
import dev.tutti.control.PlanId;
import dev.tutti.control.Receipt;
import dev.tutti.model.AllocationId;
import dev.tutti.model.ClusterId;
import dev.tutti.model.JobId;
import dev.tutti.model.job.PodSet;
import dev.tutti.model.job.StartAfter;
import dev.tutti.model.job.TimeLimits;
import dev.tutti.model.life.EndCause;
import dev.tutti.model.life.JobLife;
import dev.tutti.model.life.JobRun;
import dev.tutti.model.life.JobState;
import dev.tutti.model.life.Member;
import dev.tutti.model.life.MemberPhase;
import dev.tutti.model.life.Reason;
import dev.tutti.model.life.ReasonCode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

final class MemoryLedger implements Ledger {

    static final Reason SUSPENDED = new Reason(ReasonCode.SUSPENDED, null, 0, 0, "suspended");
    static final Reason NOT_LOOKED_AT = new Reason(ReasonCode.NOT_YET_EVALUATED, null, 0, 0, "not looked at yet");

    static final Reason DEPENDENCY = new Reason(ReasonCode.DEPENDENCY, null, 0, 0, "waits for its parents");

    private final MemoryStore store;
    private final Capacity capacity;

    MemoryLedger(MemoryStore store) {
        this.store = store;
        this.capacity = new Capacity(store);
    }

    @Override
    public Receipt commit(PlanId id, Plan plan, Actor.Leader leader) {
        Receipt first = store.receipts.get(id);
        if (first != null) {
            return first;
        }
        store.check(leader);
        Set<JobId> committed = new LinkedHashSet<>();
        Set<JobId> stale = new LinkedHashSet<>();
        Map<JobId, String> refused = new java.util.LinkedHashMap<>();
        for (Plan.Placement placement : plan.placements()) {
            Rows.Job job = store.jobs.get(placement.job());
            if (job == null || job.version != placement.jobVersion() || !isAsked(job, placement)) {
                stale.add(placement.job());
                continue;
            }
            if (capacity.hasMovedOn(placement)) {
                stale.add(job.id);
                continue;
            }
            String objection = capacity.objection(job, placement);
            if (objection == null) {
                place(job, placement);
                committed.add(job.id);
            } else {
                refused.put(job.id, objection);
                backOff(job, Backoff.ofRefusal(job.backOffs));
                store.stamp(job);
            }
        }
        Set<JobId> evicted = evict(plan, stale);
        plan.waits().forEach(this::wait);
        plan.retold().forEach(this::retell);
        Receipt receipt = new Receipt(committed, evicted, stale, refused);
        store.receipts.put(id, receipt);
        return receipt;
    }

    @Override
    public void show(List<Plan.Reservation> reservations, Actor.Leader leader) {
        store.check(leader);
        store.reservations = reservations.stream()
                .filter(one -> store.jobs.containsKey(one.job()) && store.jobs.get(one.job()).state == JobState.QUEUED)
                .toList();
    }

    private static boolean isAsked(Rows.Job job, Plan.Placement placement) {
        return placement.grows() ? job.state == JobState.RUNNING : job.state == JobState.QUEUED && !job.waits;
    }

    private void place(Rows.Job job, Plan.Placement placement) {
        job.version++;
        job.notBefore = 0;
        if (!placement.grows()) {
            job.attempt++;
            job.state = JobState.ALLOCATED;
            job.reason = null;
            job.cause = null;
            job.allocatedAt = store.now();
        }
        List<Rows.Allocation> members = new ArrayList<>(placement.grows() ? job.members : List.of());
        for (Plan.PodPlacement pod : placement.members()) {
            Rows.Allocation member = new Rows.Allocation(
                    new AllocationId(store.nextId()),
                    job,
                    pod.rank(),
                    pod.podSet(),
                    store.nodes.get(pod.node()),
                    pod.flavor(),
                    pod.devices().stream().map(store.devices::get).toList(),
                    pod.milliPerDevice(),
                    pod.mig(),
                    pod.cpuMilli(),
                    pod.memoryMib(),
                    pod.nics().stream().map(store.nics::get).toList());
            member.allocatedAt = store.now();
            member.calledAt = store.now();
            member.startAfter = startAfter(job, pod.podSet(), placement.grows());
            members.add(member);
            store.allocations.put(member.id, member);
            capacity.hold(member);
            if (!member.startAfter.isEmpty()) {
                member.phase = MemberPhase.WAITING;
            }
            Rows.Task task = new Rows.Task(member, member.startAfter.isEmpty() ? store.now() : Long.MAX_VALUE);
            store.tasks.put(member.id, task);
            store.openTasks.put(member.id, task);
        }
        job.members = members;
        store.live.put(job.id, job);
        store.stamp(job);
    }

    /** One that comes to a job that runs waits only where its set still does. */
    private static List<StartAfter> startAfter(Rows.Job job, String podSet, boolean grows) {
        return job.spec.podSets().stream()
                .filter(set -> set.name().equals(podSet))
                .filter(set -> !grows
                        || job.members.stream()
                                .anyMatch(one -> one.podSet.equals(podSet) && one.phase == MemberPhase.WAITING))
                .findFirst()
                .map(PodSet::startAfter)
                .orElse(List.of());
    }

    private Set<JobId> evict(Plan plan, Set<JobId> stale) {
        Map<JobId, List<Plan.Eviction>> groups = plan.evictions().stream()
                .collect(Collectors.groupingBy(Plan.Eviction::beneficiary, LinkedHashMap::new, Collectors.toList()));
        Set<JobId> evicted = new LinkedHashSet<>();
        groups.forEach((beneficiary, evictions) -> {
            Set<JobId> movedOn = new LinkedHashSet<>();
            Rows.Job waiting = store.jobs.get(beneficiary);
            if (waiting == null || waiting.state != JobState.QUEUED || waiting.waits) {
                movedOn.add(beneficiary);
            }
            evictions.stream()
                    .filter(one -> !isAsRead(store.jobs.get(one.victim()), one.victimVersion()) || after(one) == null)
                    .forEach(one -> movedOn.add(one.victim()));
            stale.addAll(movedOn);
            if (movedOn.isEmpty()) {
                evictions.forEach(one -> evict(one, evicted));
            }
        });
        return evicted;
    }

    private static boolean isAsRead(Rows.@Nullable Job job, long version) {
        return job != null && job.version == version && job.state.isLive() && job.state != JobState.STOPPING;
    }

    private void evict(Plan.Eviction one, Set<JobId> evicted) {
        Rows.Job job = Objects.requireNonNull(store.jobs.get(one.victim()));
        job.stoppingFor = one.beneficiary();
        job.askedFor.put(one.beneficiary(), store.now());
        JobRun after = Objects.requireNonNull(after(one));
        after.members().stream()
                .filter(member -> !member.stays())
                .map(member -> store.allocations.get(member.id()))
                .filter(member -> member.leaving == null)
                .forEach(member -> member.leavingFor = one.beneficiary());
        write(job, after);
        evicted.add(job.id);
    }

    private @Nullable JobRun after(Plan.Eviction one) {
        Rows.Job job = store.jobs.get(one.victim());
        JobRun before = run(job);
        JobRun after = one.ranks().isEmpty()
                ? JobLife.stop(before, one.cause())
                : JobLife.evict(
                        before,
                        one.ranks(),
                        one.cause(),
                        job.spec.podSets().stream().collect(Collectors.toMap(PodSet::name, PodSet::minCount)));
        return after.equals(before) ? null : after;
    }

    private void wait(Plan.Wait wait) {
        Rows.Job job = store.jobs.get(wait.job());
        if (job != null
                && job.version == wait.jobVersion()
                && job.state == JobState.QUEUED
                && !job.waits
                && (job.reason == null
                        || job.reason.code() != wait.reason().code()
                        || job.reason.untilMicros() != wait.reason().untilMicros()
                        || job.reason.code() == ReasonCode.RESERVED_FOR_OTHER && !job.reason.equals(wait.reason()))) {
            job.reason = wait.reason();
            job.toldAt = store.now();
            job.version++;
            store.stamp(job);
        }
    }

    private void retell(Plan.Wait wait) {
        Rows.Job job = store.jobs.get(wait.job());
        if (job != null
                && job.version == wait.jobVersion()
                && job.state == JobState.QUEUED
                && !job.waits
                && job.reason != null
                && job.reason.code() == wait.reason().code()) {
            job.reason = wait.reason();
            job.toldAt = store.now();
            store.stamp(job);
        }
    }

    private void backOff(Rows.Job job, Duration delay) {
        ReasonCode code = delay.isZero() ? ReasonCode.NOT_YET_EVALUATED : ReasonCode.BACKING_OFF;
        job.backOffs++;
        job.notBefore = delay.isZero() ? 0 : store.now() + delay.toNanos() / 1000;
        job.reason = job.state == JobState.RUNNING ? null : new Reason(code, null, 0, 0, "looked at again soon");
        job.version++;
    }

    @Override
    public Optional<Receipt> receipt(PlanId id) {
        return Optional.ofNullable(store.receipts.get(id));
    }

    @Override
    public List<JobRun> runsOf(Collection<AllocationId> allocations) {
        Set<JobId> jobs = new TreeSet<>();
        for (AllocationId id : allocations) {
            Rows.Allocation member = store.allocations.get(id);
            if (member != null && member.attempt == member.job.attempt && member.job.state.isLive()) {
                jobs.add(member.job.id);
            }
        }
        return runs(jobs);
    }

    @Override
    public List<JobRun> runs(Collection<JobId> jobs) {
        return jobs.stream()
                .map(store.jobs::get)
                .filter(Objects::nonNull)
                .map(MemoryLedger::run)
                .toList();
    }

    static JobRun run(Rows.Job job) {
        List<Member> members = !job.state.isLive()
                ? List.of()
                : job.members.stream()
                        .map(one -> new Member(
                                one.id,
                                one.podSet,
                                one.rank,
                                one.node.id,
                                one.phase,
                                one.podUid,
                                one.cause,
                                one.leaving,
                                one.startAfter))
                        .toList();
        return new JobRun(
                job.id,
                job.version,
                job.state,
                job.cause,
                job.suspend,
                job.attempt,
                job.failures,
                job.spec.maxFailures(),
                members);
    }

    @Override
    public Set<JobId> apply(Collection<Change> changes, Actor actor) {
        store.check(actor);
        Set<JobId> written = new LinkedHashSet<>();
        for (Change change : changes) {
            Rows.Job job = store.jobs.get(change.before().job());
            if (job != null && job.version == change.before().version()) {
                write(job, change.after());
                written.add(job.id);
            }
        }
        return written;
    }

    private void write(Rows.Job job, JobRun after) {
        JobState before = job.state;
        job.version++;
        job.state = after.state();
        job.cause = after.stopping();
        job.stoppingFor = after.state() == JobState.STOPPING
                        && after.stopping() != null
                        && after.stopping().isEviction()
                ? job.stoppingFor
                : null;
        job.suspend = after.suspend();
        job.failures = after.failures();
        after.members().forEach(member -> writeMember(member, job.state));
        if (before != JobState.STOPPING && job.state == JobState.STOPPING) {
            job.members.stream().filter(member -> !member.released).forEach(this::wishDelete);
        }
        if (before.isLive() && !job.state.isLive()) {
            store.live.remove(job.id);
            job.members.forEach(member -> store.openTasks.remove(member.id));
        }
        if (before != job.state) {
            turnClocks(job, before, after.stopping());
            giveReason(job, before, after.stopping());
        }
        store.stamp(job);
    }

    private void turnClocks(Rows.Job job, JobState before, @Nullable EndCause stopping) {
        if (before == JobState.RUNNING) {
            job.ranMicros += store.now() - job.startedAt;
        }
        if (before == JobState.QUEUED) {
            job.queuedMicros += store.now() - job.queuedSince;
        }
        if (before.isLive() && !job.state.isLive()) {
            job.queuedMicros = 0;
            job.parentsMicros = 0;
            job.ranMicros = stopping == null ? job.ranMicros : 0;
        }
        job.queuedSince = store.now();
        job.startedAt = job.state == JobState.RUNNING ? store.now() : job.startedAt;
    }

    private void giveReason(Rows.Job job, JobState before, @Nullable EndCause stopping) {
        job.reason = job.state == JobState.SUSPENDED ? SUSPENDED : null;
        if (job.state == JobState.QUEUED) {
            job.reason = job.waits ? DEPENDENCY : NOT_LOOKED_AT;
            if (before.isLive() && stopping != null && stopping.isEviction()) {
                job.evictedAt.add(store.now());
            }
            if (before.isLive() && stopping == EndCause.PREEMPTED) {
                job.notBefore = 0;
            } else if (before.isLive() && stopping != null) {
                backOff(job, Backoff.ofJob(stopping, job.backOffs));
            }
        }
        if (job.state == JobState.QUEUED || job.state == JobState.SUSPENDED) {
            job.cause = null;
        }
    }

    private void writeMember(Member member, JobState state) {
        Rows.Allocation row = store.allocations.get(member.id());
        if (row.released && !member.phase().isReleased()) {
            throw new IllegalStateException("a released allocation never comes back");
        }
        if (row.boundAt == 0 && member.phase().compareTo(MemberPhase.COMMITTED) > 0) {
            row.boundAt = store.now();
        }
        if (member.phase() == MemberPhase.LOST && row.phase != MemberPhase.LOST) {
            row.lostAt = store.now();
        }
        if (row.phase == MemberPhase.WAITING && member.phase() == MemberPhase.COMMITTED) {
            row.calledAt = store.now();
            store.tasks.get(row.id).dueAt = store.now();
        }
        boolean leaves = row.leaving == null && member.leaving() != null;
        row.leaving = member.leaving();
        row.phase = member.phase();
        row.cause = member.cause();
        row.podUid = member.podUid();
        if (leaves && state != JobState.STOPPING && !member.phase().isReleased()) {
            wishDelete(row);
        }
        if (member.phase().isReleased() && !row.released) {
            row.released = true;
            row.releasedAt = store.now();
            capacity.free(row);
        }
    }

    private void wishDelete(Rows.Allocation member) {
        Rows.Task task = store.tasks.get(member.id);
        task.wish = BindTask.Wish.DELETE;
        task.generation++;
        task.tries = 0;
        task.done = false;
        task.dueAt = store.now();
        store.openTasks.put(member.id, task);
    }

    @Override
    public List<JobId> unboundFor(Duration deadline) {
        long before = store.now() - deadline.toNanos() / 1000;
        return store.live.values().stream()
                .filter(job -> job.state == JobState.ALLOCATED || job.state == JobState.RUNNING)
                .filter(job -> job.members.stream()
                        .anyMatch(member -> member.phase == MemberPhase.COMMITTED
                                && member.leaving == null
                                && member.calledAt <= before))
                .map(job -> job.id)
                .toList();
    }

    @Override
    public List<Overdue> notReadyFor(Duration timeout) {
        List<Overdue> late = new ArrayList<>();
        for (Rows.Job job : store.live.values()) {
            Integer own = job.spec.limits().readyTimeoutSeconds();
            long seconds = own == null ? timeout.toSeconds() : own;
            List<Rows.Allocation> counted = job.members.stream()
                    .filter(member -> member.leaving == null && member.phase != MemberPhase.WAITING)
                    .filter(member -> job.state == JobState.ALLOCATED
                            || job.state == JobState.RUNNING && member.phase == MemberPhase.BOUND)
                    .toList();
            boolean bound = counted.stream()
                    .allMatch(member -> member.phase != MemberPhase.COMMITTED
                            && store.now() - member.boundAt >= seconds * 1_000_000L);
            if (!counted.isEmpty() && bound) {
                late.add(new Overdue(job.id, job.version, EndCause.NOT_READY_IN_TIME));
            }
        }
        return late;
    }

    @Override
    public List<Overdue> overdue() {
        List<Overdue> overdue = new ArrayList<>();
        for (Rows.Job job : store.jobs.values()) {
            TimeLimits limits = job.spec.limits();
            boolean open = !job.state.isFinal() && job.state != JobState.STOPPING;
            if (job.state == JobState.RUNNING
                    && isOver(store.now() - job.startedAt + job.ranMicros, limits.maxRuntimeSeconds())) {
                overdue.add(new Overdue(job.id, job.version, EndCause.MAX_RUNTIME));
            } else if (open && limits.isPastAt(store.now())
                    || job.state == JobState.QUEUED
                            && isOver(store.now() - job.queuedSince + job.queuedMicros, limits.maxQueueSeconds())) {
                overdue.add(new Overdue(job.id, job.version, EndCause.DEADLINE));
            }
        }
        return overdue;
    }

    private static boolean isOver(long micros, @Nullable Integer seconds) {
        return seconds != null && micros >= seconds * 1_000_000L;
    }

    @Override
    public List<BoundMember> bound(ClusterId cluster) {
        return store.live.values().stream()
                .flatMap(job -> job.members.stream())
                .filter(member -> member.phase == MemberPhase.BOUND || member.phase == MemberPhase.RUNNING)
                .filter(member -> member.node.cluster.id.equals(cluster))
                .map(member -> new BoundMember(member.id, member.job.id, member.attempt, member.rank, member.podUid))
                .toList();
    }

    @Override
    public List<AllocationId> quarantineOver(ClusterId cluster, Duration quietTime, Duration watched) {
        return store.live.values().stream()
                .flatMap(job -> job.members.stream())
                .filter(member -> member.phase == MemberPhase.LOST && member.node.cluster.id.equals(cluster))
                .filter(member -> isOver(member, quietTime, watched))
                .map(member -> member.id)
                .toList();
    }

    private boolean isOver(Rows.Allocation member, Duration quietTime, Duration watched) {
        Duration needed = quietTime.plusSeconds(member.job.spec.graceSeconds());
        Rows.Node node = member.node;
        long since = node.gone ? member.lostAt : Math.max(member.lostAt, node.readySince);
        return (node.gone || node.ready)
                && store.now() - since >= needed.toNanos() / 1000
                && watched.compareTo(needed) >= 0;
    }
}
