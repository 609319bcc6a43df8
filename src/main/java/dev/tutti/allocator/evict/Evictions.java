package dev.tutti.allocator.evict;

import dev.tutti.allocator.Plan;
import dev.tutti.allocator.RunningBook;
import dev.tutti.allocator.RunningJob;
import dev.tutti.allocator.Snapshot;
import dev.tutti.allocator.WaitingJob;
import dev.tutti.allocator.board.Board;
import dev.tutti.allocator.board.Layout;
import dev.tutti.allocator.board.Piece;
import dev.tutti.allocator.evict.Future.Start;
import dev.tutti.allocator.fit.Request;
import dev.tutti.allocator.fit.Room;
import dev.tutti.allocator.hold.Holds;
import dev.tutti.allocator.policy.Policy;
import dev.tutti.allocator.quota.Account;
import dev.tutti.allocator.quota.QuotaCheck;
import dev.tutti.allocator.reserve.Reservations;
import dev.tutti.model.JobId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Places for jobs that wait on what is leaving, and who is asked to leave for them. A job is placed first, on what will be
 * free; then those are named who stand in its way, no more than needed. What is free already of its place is held for it. One
 * decision at a time; not safe for use by two threads.
 */
public final class Evictions {

    /** Jobs in one decision for which victims are looked for. */
    private static final int MOST_TRIES = 16;

    private final Layout layout;
    private final Board now;
    private final Policy policy;
    private final QuotaCheck quota;
    private final Reservations reservations;
    private final Holds holds;
    private final WhoRuns who;
    private @Nullable Future future;
    private Snapshot snapshot;
    private long nowMicros;
    private int triesLeft;
    /** Jobs for which nobody was found since the round began; they are not tried again before all others were. */
    private final Set<JobId> spent = new HashSet<>();

    private boolean somebodyLacksATry;
    private boolean isOpen;
    private boolean areAside;
    /** Places of jobs that start in this decision, from before it looked at what will be free. */
    private final List<Start> starts = new ArrayList<>();
    /** Places kept for beneficiaries whose turn has not come. */
    private final Map<JobId, Promise> promised = new LinkedHashMap<>();

    private List<Claimant> toPromise = new ArrayList<>();
    /** Those for whom something was kept before anybody had a turn. */
    private final Set<JobId> cameFirst = new HashSet<>();

    /** Jobs that are asked to leave, or give up members, in this decision. */
    private final Set<JobId> asked = new HashSet<>();

    public Evictions(
            Snapshot snapshot, Layout layout, Board now, Policy policy, QuotaCheck quota, Reservations reservations) {
        this.snapshot = snapshot;
        this.layout = layout;
        this.now = now;
        this.policy = policy;
        this.quota = quota;
        this.reservations = reservations;
        holds = new Holds(now);
        who = new WhoRuns(quota);
    }

    private record Promise(Claimant claimant, Start start) {}

    /**
     * Begins a decision.
     *
     * @param isWaiting whether a job waits still
     */
    public void begin(Snapshot next, RunningBook running, Predicate<JobId> isWaiting, long timeMicros) {
        snapshot = next;
        nowMicros = timeMicros;
        triesLeft = MOST_TRIES;
        if (!somebodyLacksATry) {
            spent.clear();
        }
        somebodyLacksATry = false;
        isOpen = false;
        holds.letGoOfAll();
        starts.clear();
        promised.clear();
        toPromise.clear();
        cameFirst.clear();
        asked.clear();
        who.follow(running, isWaiting, nowMicros);
    }

    /** Whether there is nobody who could be asked to leave, and nothing is kept for anybody. */
    public boolean isIdle() {
        return who.isNobody() && !isOpen;
    }

    /** Jobs for which others are leaving now. */
    public Set<JobId> beneficiaries() {
        return who.beneficiaries();
    }

    /** Whether there may be somebody from whom the job may take, or somebody is leaving for it. */
    public boolean mayClaim(Claimant claimant) {
        return !who.isNobody()
                && (who.isBeneficiary(claimant.job().job())
                        || (isOverLimit(claimant)
                                ? who.rights().hasSomeOfOwn(claimant, quota)
                                : who.rights().hasSome(claimant, quota)));
    }

    /** Whether as many jobs run as may. Only of its own queue somebody leaves for that. */
    private boolean isOverLimit(Claimant claimant) {
        return !quota.runs().mayStart(claimant.account());
    }

    /** Keeps places on what is leaving for beneficiaries, in this order, until their turn comes. */
    public void promise(List<Claimant> beneficiaries) {
        toPromise = new ArrayList<>(beneficiaries);
        toPromise.forEach(each -> cameFirst.add(each.job().job()));
        keepPromises();
    }

    /** Lets a job whose turn it is see what is kept for itself. */
    public void setOwnPromiseAside(JobId turnOf) {
        toPromise.removeIf(each -> each.job().job().equals(turnOf));
        giveBack(Objects.requireNonNull(promised.get(turnOf), "something is kept for it"));
        areAside = true;
    }

    /**
     * Lets a job for which nothing is kept see what is kept for beneficiaries that it passes: those after it in its own queue,
     * and those of weaker lanes.
     *
     * @return whether something was kept for one of those
     */
    public boolean setPromisesAside(WaitingJob turnOf) {
        toPromise.removeIf(each -> each.job().job().equals(turnOf.job()));
        areAside = true;
        List<Promise> passed = promised.values().stream()
                .filter(promise -> passes(turnOf, promise.claimant().job()))
                .toList();
        passed.forEach(this::giveBack);
        return !passed.isEmpty();
    }

    private void giveBack(Promise promise) {
        JobId job = promise.claimant().job().job();
        reservations.unhidden(() -> holds.letGo(job));
        future().give(promise.start());
        promised.remove(job);
    }

    private static boolean passes(WaitingJob job, WaitingJob other) {
        return job.lane().compareTo(other.lane()) < 0
                || job.queue().equals(other.queue()) && WaitingJob.ORDER.compare(job, other) <= 0;
    }

    /** Whether promises were set aside and not kept again since. */
    public boolean areAside() {
        return areAside;
    }

    /** Keeps again what is left of it: first what each needs, then what it may have beside what the others need. */
    public void keepPromises() {
        areAside = false;
        List<Promise> more = new ArrayList<>();
        for (Claimant claimant : toPromise) {
            if (!promised.containsKey(claimant.job().job())) {
                Request least = claimant.request().least();
                Promise promise = promise(claimant, future().find(least, room(claimant)));
                if (promise != null && least != claimant.request()) {
                    more.add(promise);
                }
            }
        }
        for (Promise promise : more) {
            giveBack(promise);
            Claimant claimant = promise.claimant();
            List<Piece> place = future().find(claimant.request(), room(claimant));
            promise(claimant, place == null ? promise.start().place() : place);
        }
    }

    private @Nullable Promise promise(Claimant claimant, @Nullable List<Piece> place) {
        if (place == null) {
            return null;
        }
        Promise promise = new Promise(claimant, take(claimant, place));
        promised.put(claimant.job().job(), promise);
        keep(claimant.job().job(), place);
        return promise;
    }

    public boolean hasPromises() {
        return !toPromise.isEmpty();
    }

    /** Whether something is kept for this job until its turn comes. */
    public boolean isPromised(JobId job) {
        return promised.containsKey(job);
    }

    /** What a job may take by quota if those that wait for others to leave are to have what they need. */
    public Room limit(Room room, Account account, boolean isNew) {
        if (!isOpen) {
            return room;
        }
        QuotaCheck later = future().quota;
        return room.and(isNew ? later.roomToStart(account) : later.room(account));
    }

    /** Quota as it will be when all who are leaving have left and those for whom run; the one of now if nothing is kept. */
    public QuotaCheck later() {
        return isOpen ? future().quota : quota;
    }

    /** Whether something was kept for the job before anybody had a turn. */
    public boolean cameFirst(JobId job) {
        return cameFirst.contains(job);
    }

    /** A job starts now, or one that runs grows. */
    public void started(List<Piece> place, Account account, boolean isNew) {
        Start start = new Start(place, account, isNew);
        if (isOpen) {
            future().start(start);
        } else {
            starts.add(start);
        }
    }

    /**
     * A place for a job that cannot start now, on what is leaving, or else on what others are asked to leave for it.
     *
     * @param narrow what its queue's order leaves of the room that quota gives it
     * @return null when it has none
     */
    public @Nullable Claim claim(Claimant claimant, UnaryOperator<Room> narrow) {
        if (cameFirst.contains(claimant.job().job())) {
            return claimBesideOthers(claimant, narrow);
        }
        long mayRunSeconds = claimant.job().mayRunSeconds();
        future().spare(reservations.delayedByClaim(mayRunSeconds));
        reservations.promise(future().quota, mayRunSeconds, 1);
        Claim claim = claimBesideOthers(claimant, narrow);
        reservations.promise(future().quota, mayRunSeconds, -1);
        future().spare(List.of());
        return claim;
    }

    private @Nullable Claim claimBesideOthers(Claimant claimant, UnaryOperator<Room> narrow) {
        List<Piece> place = future().find(claimant.request(), narrow.apply(room(claimant)));
        List<Unit> units = List.of();
        if (place == null && mayAsk(claimant.job().job())) {
            VictimSearch.Found found = new VictimSearch(future(), claimant, () -> narrow.apply(room(claimant)))
                    .find(
                            units(claimant),
                            unit -> Candidates.mayTake(unit, claimant, future().quota, future().held, layout));
            if (found == null) {
                spent.add(claimant.job().job());
            } else {
                place = found.place();
                units = found.units();
            }
        }
        if (place == null) {
            return null;
        }
        take(claimant, place);
        units.forEach(unit -> asked.add(unit.job().job()));
        List<Piece> kept = keep(claimant.job().job(), place);
        return new Claim(
                claimant.job().job(),
                Claim.waiting(place, kept),
                Notices.of(units, claimant.job().job()));
    }

    /**
     * Whether victims are looked for now. Nobody more is asked while some are leaving for it still: what they leave may be
     * enough after all.
     */
    private boolean mayAsk(JobId job) {
        if (spent.contains(job) || who.isBeneficiary(job)) {
            return false;
        }
        somebodyLacksATry |= triesLeft == 0;
        if (triesLeft > 0) {
            triesLeft--;
            return true;
        }
        return false;
    }

    /** Goes on with the round of another one. */
    public void remember(Evictions other) {
        spent.addAll(other.spent);
        somebodyLacksATry = other.somebodyLacksATry;
    }

    /** Whether somebody was not tried in the last decision because too many others were. */
    public boolean somebodyLacksATry() {
        return somebodyLacksATry;
    }

    /** Notes that somebody is not even asked in this decision, because too many others are. */
    public void putOff() {
        somebodyLacksATry = true;
    }

    /** Whether it had its try in this round, in vain. */
    public boolean hadItsTry(JobId job) {
        return spent.contains(job);
    }

    private List<Unit> units(Claimant claimant) {
        List<Unit> units = new ArrayList<>();
        for (RunningJob job : who.staying()) {
            if (job.protectedUntilMicros() <= nowMicros
                    && !who.wasAskedFor(claimant.job().job(), job.job())
                    && !asked.contains(job.job())) {
                units.addAll(Candidates.of(
                        job, claimant, isOverLimit(claimant), future().quota, future().held, layout, nowMicros));
            }
        }
        units.sort(Unit.PREFERENCE);
        return units;
    }

    private Room room(Claimant claimant) {
        return future().quota.roomToStart(claimant.account());
    }

    private Start take(Claimant claimant, List<Piece> place) {
        Start start = new Start(place, claimant.account(), true);
        future().take(start);
        return start;
    }

    /**
     * Keeps what is free of a place, also what reservations hide for later: a claim may end before they begin, and nobody else
     * is to run there meanwhile.
     */
    private List<Piece> keep(JobId job, List<Piece> place) {
        List<Piece> kept = new ArrayList<>(place.size());
        reservations.unhidden(() -> kept.addAll(holds.keep(job, place)));
        return kept;
    }

    /** Whether free capacity is kept from those who could use it. */
    public boolean holdsAny() {
        return !holds.isEmpty();
    }

    /** Lets all see again what is free, when everything is decided. */
    public void end() {
        holds.letGoOfAll();
        isOpen = false;
    }

    /** What will be free, looked at only when somebody asks. */
    private Future future() {
        Future later = future;
        if (later == null) {
            later = new Future(snapshot, layout, now, policy);
            future = later;
        }
        if (!isOpen) {
            isOpen = true;
            Future opened = later;
            reservations.unhidden(() -> opened.begin(snapshot, quota.runs(), nowMicros));
            starts.forEach(later::countStarted);
            for (RunningJob job : who.leaving()) {
                if (job.leaving()) {
                    later.countRun(job, -1);
                }
                for (Plan.PodPlacement member : job.members()) {
                    if (job.leaving() || job.leavingRanks().contains(member.rank())) {
                        later.letGo(job, member);
                    }
                }
            }
        }
        return later;
    }
}
