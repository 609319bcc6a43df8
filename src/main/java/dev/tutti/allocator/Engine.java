package dev.tutti.allocator;

import dev.tutti.allocator.WaitingBook.Group;
import dev.tutti.allocator.evict.Claim;
import dev.tutti.allocator.policy.Policy;
import dev.tutti.model.JobId;
import dev.tutti.model.QueueId;
import dev.tutti.model.job.PodSet;
import dev.tutti.model.life.Reason;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The standing allocator. Between two decisions it keeps the board, the rankings, and for each group of equal jobs whether
 * one of them failed and why they wait; a group is looked at again only when its jobs, its quota or capacity of its flavors
 * changed. Capacity that only shrank makes nobody start, so a group that failed is tried again only when a node it could
 * use has grown or its queue got room.
 *
 * <p>What a plan took is no longer true once it is made: the next decision sets every node the plan touched back to what
 * the snapshot says, and looks at its jobs again if they still wait.
 */
final class Engine implements StandingAllocator {

    private final Policy policy;
    private @Nullable Desk desk;
    /** The last one, for what was promised by it, whether or not it can be used any more. */
    private @Nullable Desk last;

    private @Nullable WaitingBook book;
    /** What the last decision was about. */
    private @Nullable Snapshot seen;

    private long seenMicros;
    /** Jobs that the last plan placed or told something. */
    private final Set<JobId> told = new LinkedHashSet<>();
    /** Those of them that it placed. */
    private final Set<JobId> started = new HashSet<>();

    private final List<Group> heldBack = new ArrayList<>();
    private final AskingGroups asking = new AskingGroups();
    private final Retelling retelling = new Retelling();

    Engine(Policy policy) {
        this.policy = policy;
    }

    @Override
    public Plan decide(Snapshot snapshot, WaitingBook waiting, RunningBook running, long nowMicros) {
        waiting.tellUsersApart(snapshot.queues().withLimitsOfUsers());
        Collection<Group> changed = waiting.changes(snapshot.queues().lanes(), nowMicros);
        Desk now = desk;
        // Put back only at the end: after a decision that failed on its way the next one starts from nothing.
        desk = null;
        if (now == null || book != waiting || !now.follows(snapshot)) {
            now = new Desk(snapshot, policy);
            now.remember(last);
            if (book != waiting) {
                retelling.forget();
            }
            book = waiting;
            changed = waiting.groups();
        }
        last = now;
        boolean isRoundOpen = now.asked().somebodyLacksATry();
        now.begin(snapshot, running, nowMicros);
        Set<Group> toTry = new LinkedHashSet<>(changed);
        // Before anything is kept for anybody: who could start but for that is told so.
        addThoseWhoGained(now, waiting, toTry);
        now.keepPromises(running, waiting, nowMicros);
        Set<QueueId> changedQueues = waiting.changedQueues();
        boolean isNew = !changedQueues.isEmpty() || !changed.isEmpty() || !now.isQuiet();
        toTry.addAll(lookAgain(waiting));
        toTry.addAll(lastHeldBack());
        FirstInLine line = FirstInLine.of(now, waiting, isNew, toTry);
        asking.addTo(toTry, now, waiting, running, isNew, isRoundOpen, nowMicros);
        addTheRestOfStrictQueues(now, waiting, changedQueues, toTry);
        List<Plan.Placement> placements = place(now, toTry, line);
        List<Plan.Reservation> reservations = now.endTurns();
        LanesNow lanes = snapshot.queues().lanes();
        List<Plan.Wait> waits = verdicts(now, waiting, toTry, lanes, nowMicros);
        Plan plan = new Plan(
                snapshot.revision(),
                placements,
                waits,
                now.asked().all(),
                reservations,
                retold(now, waiting, waits, reservations, lanes, nowMicros));
        desk = now;
        seen = snapshot;
        seenMicros = nowMicros;
        return plan;
    }

    @Override
    public @Nullable Inspection inspect(JobId id) {
        Desk now = desk;
        WaitingJob job = now == null || book == null ? null : book.toStart(id);
        Snapshot snapshot = seen;
        if (job == null || now == null || book == null || snapshot == null) {
            return null;
        }
        if (started.contains(id)) {
            return new Inspection(
                    null,
                    Deciders.pass(),
                    job.podSets().stream().map(PodSet::flavors).toList());
        }
        JobClass kind = now.kindOf(book.groupOf(job));
        Reason verdict = reasonOf(now, job, kind, snapshot.queues().lanes(), seenMicros);
        return new Inspection(
                verdict, now.reasons().findings(kind, job, snapshot, seenMicros, verdict), kind.openFlavors());
    }

    @Override
    public boolean hasMore() {
        return desk != null && asking.hasMore(desk);
    }

    @Override
    public long nextRetellingMicros() {
        return retelling.nextMicros();
    }

    @Override
    public StandingAllocator afresh() {
        Engine other = new Engine(policy);
        other.last = last;
        return other;
    }

    /** Groups of the jobs of the last plan that wait still. */
    private List<Group> lookAgain(WaitingBook waiting) {
        List<Group> groups = new ArrayList<>();
        for (JobId id : told) {
            WaitingJob job = waiting.job(id);
            if (job != null) {
                Group group = waiting.groupOf(job);
                group.fresh.add(id);
                groups.add(group);
            }
        }
        told.clear();
        return groups;
    }

    /** Groups from which something free was kept for others in the last decision. */
    private List<Group> lastHeldBack() {
        List<Group> groups = heldBack.stream().filter(group -> !group.isEmpty()).toList();
        heldBack.clear();
        return groups;
    }

    private static void addThoseWhoGained(Desk desk, WaitingBook waiting, Set<Group> toTry) {
        if (desk.isQuiet()) {
            return;
        }
        for (Group group : waiting.groups()) {
            JobClass kind = desk.kindOf(group);
            // One that is not explained is new: other flavors may be open.
            if (!kind.explained || desk.couldGain(kind) || desk.mayGetAnotherTurn(kind)) {
                toTry.add(group);
            }
        }
    }

    /** In a strict queue every job that waits counts for those behind it, so none is tried without the others. */
    private static void addTheRestOfStrictQueues(
            Desk desk, WaitingBook waiting, Set<QueueId> changedQueues, Set<Group> toTry) {
        Set<QueueId> queues = new LinkedHashSet<>(changedQueues);
        toTry.forEach(group -> queues.add(group.like.queue()));
        if (!toTry.isEmpty() || !desk.isQuiet()) {
            queues.addAll(desk.queuesWithSharedLimits());
        }
        queues.removeIf(queue -> !desk.isStrict(queue));
        if (queues.isEmpty()) {
            return;
        }
        for (Group group : waiting.groups()) {
            if (queues.contains(group.like.queue())) {
                toTry.add(group);
            }
        }
    }

    /** Tries the groups' jobs in turn; a group is left when one of its jobs cannot start. */
    private List<Plan.Placement> place(Desk desk, Set<Group> groups, FirstInLine line) {
        Turns turns = desk.turns();
        groups.forEach(group -> begin(desk, turns, group));
        List<Plan.Placement> placements = new ArrayList<>();
        started.clear();
        for (Turns.Turn turn = turns.poll(); turn != null; turn = turns.poll()) {
            JobId job = turn.job().job();
            Plan.Placement placement = desk.start(turn.job(), desk.kindOf(turn.group()));
            if (placement != null) {
                placements.add(placement);
                started.add(job);
            } else if (desk.asked().claimOf(job) != null) {
                turn.group().fresh.add(job);
            }
            WaitingJob next = null;
            if (placement != null || desk.asked().claimOf(job) != null) {
                told.add(job);
                next = turn.group().ready.higher(turn.job());
            }
            if (next != null) {
                turns.add(turn.group(), next, turn.flavors());
            }
            Group behind = line.after(turn.job());
            if (behind != null && groups.add(behind)) {
                begin(desk, turns, behind);
            }
        }
        return placements;
    }

    private static void begin(Desk desk, Turns turns, Group group) {
        JobClass kind = desk.kindOf(group);
        desk.beginTurns(kind);
        if (!group.ready.isEmpty() && desk.hasTurn(group.ready.first(), kind)) {
            turns.add(group, group.ready.first(), kind.flavors);
        }
    }

    private List<Plan.Wait> verdicts(Desk desk, WaitingBook waiting, Set<Group> tried, LanesNow lanes, long nowMicros) {
        List<Told> waits = new ArrayList<>();
        for (Group group : desk.isQuiet() ? tried : waiting.groups()) {
            JobClass kind = desk.kindOf(group);
            if (tried.contains(group) || desk.needsExplaining(kind)) {
                desk.explain(kind);
                addVerdicts(desk, group, waiting, lanes, nowMicros, waits);
            }
            if (kind.heldBack) {
                heldBack.add(group);
            }
            retelling.look(group, kind);
        }
        waits.sort(Comparator.comparing(Told::job, WaitingJob.ORDER));
        waits.forEach(each -> told.add(each.job.job()));
        return waits.stream().map(Told::verdict).toList();
    }

    private void addVerdicts(
            Desk desk, Group group, WaitingBook waiting, LanesNow lanes, long nowMicros, List<Told> waits) {
        JobClass kind = desk.kindOf(group);
        boolean all = kind.isReasonNew || kind.isToldWrong();
        Collection<WaitingJob> jobs = new ArrayList<>();
        if (all) {
            jobs.addAll(group.ready);
            jobs.addAll(group.resting);
        } else {
            group.fresh.stream().map(waiting::job).forEach(jobs::add);
        }
        group.fresh.clear();
        for (WaitingJob job : jobs) {
            if (started.contains(job.job()) || kind.grows) {
                continue;
            }
            if (desk.isAwaited(job, kind)) {
                // It hears the truth once nothing is kept for it any more.
                group.fresh.add(job.job());
                continue;
            }
            Reason reason = reasonOf(desk, job, kind, lanes, nowMicros);
            Plan.Wait wait = new Plan.Wait(job.job(), job.version(), reason);
            boolean isKnown = job.verdict() != null
                    && job.verdict().code() == reason.code()
                    && job.verdict().untilMicros() == reason.untilMicros()
                    && !kind.isToldWrong();
            if (!isKnown) {
                waits.add(new Told(job, wait));
            }
        }
    }

    private static Reason reasonOf(Desk desk, WaitingJob job, JobClass kind, LanesNow lanes, long nowMicros) {
        Claim claim = desk.asked().claimOf(job.job());
        return claim == null ? kind.reasonFor(job, lanes, nowMicros) : claim.reason();
    }

    /** Verdicts of which only the words or numbers are to be written anew. */
    private List<Plan.Wait> retold(
            Desk desk,
            WaitingBook waiting,
            List<Plan.Wait> waits,
            List<Plan.Reservation> reservations,
            LanesNow lanes,
            long nowMicros) {
        waiting.retold().forEach(group -> retelling.look(group, desk.kindOf(group)));
        Set<JobId> hear = waits.stream().map(Plan.Wait::job).collect(Collectors.toSet());
        List<WaitingJob> alone = Stream.concat(
                        desk.asked().claimants().stream(), reservations.stream().map(Plan.Reservation::job))
                .distinct()
                .map(waiting::toStart)
                .filter(Objects::nonNull)
                .toList();
        return retelling.choose(
                desk,
                alone,
                job -> started.contains(job.job())
                        || hear.contains(job.job())
                        || desk.isAwaited(job, desk.kindOf(waiting.groupOf(job))),
                (job, kind) -> reasonOf(desk, job, kind, lanes, nowMicros),
                waiting,
                nowMicros);
    }

    /** A verdict, with the job it is for. */
    private record Told(WaitingJob job, Plan.Wait verdict) {}
}
