package dev.tutti.allocator;

import dev.tutti.allocator.board.PodShape;
import dev.tutti.allocator.fit.Request;
import dev.tutti.allocator.fit.Room;
import dev.tutti.allocator.quota.Account;
import dev.tutti.allocator.quota.LimitCheck;
import dev.tutti.allocator.reason.Sentences;
import dev.tutti.allocator.reserve.Reservation;
import dev.tutti.model.NodeId;
import dev.tutti.model.QueueId;
import dev.tutti.model.job.Lane;
import dev.tutti.model.job.NicRequest;
import dev.tutti.model.job.NodeRules;
import dev.tutti.model.job.PodSet;
import dev.tutti.model.job.SetAffinity;
import dev.tutti.model.job.TopologySegment;
import dev.tutti.model.job.TopologyWish;
import dev.tutti.model.life.Reason;
import dev.tutti.model.life.ReasonCode;
import dev.tutti.model.queue.LaneRules;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Jobs that ask for the same in the same queue and lane. Free capacity and quota only shrink while a plan is made, so once one of
 * them could not start none behind it can, and all of them wait for the same reason.
 */
final class JobClass {

    /** Verdicts that may be others on another flavor. */
    private static final Set<ReasonCode> OF_PLACES = EnumSet.of(
            ReasonCode.WAITING_FOR_QUOTA,
            ReasonCode.WAITING_FOR_CAPACITY,
            ReasonCode.FRAGMENTED,
            ReasonCode.TOPOLOGY,
            ReasonCode.RESERVED_FOR_OTHER);

    private static final long RENEWED_AFTER_MICROS = LaneRules.RATE_SECONDS * 1_000_000L;

    final QueueId queue;
    final Lane lane;
    final List<PodSet> podSets;
    final TopologyWish topology;
    /** How long each of them may hold what it gets, at the most; 0 for as long as it likes. */
    final long mayRunSeconds;
    /** Number of the queue in {@link QuotaCheck}; -1 when it is unknown. */
    final int queueNumber;
    /** As whose they count; of a queue without limits for each user any of their users. */
    final Account account;
    /** Null when the topology wish names an unknown level. */
    final @Nullable Request request;
    /** The same with all flavors that they name, whether or not they are open. */
    final @Nullable Request whole;
    /** Those that are open; null when all are, whatever else changes. */
    final @Nullable OpenFlavors open;
    /** Flavors that some pod of theirs could run on. */
    final boolean[] flavors;
    /** Whether they run already and ask for more: then nothing is kept for them, and they keep nobody from starting. */
    boolean grows;
    /** Whether one of them was tried and could not start. */
    boolean failed;
    /** Whether it is certain that it could not, and not only that no place was found in the steps it may take. */
    boolean failedForSure;
    /** Whether one of them was kept from starting by a job before it in its strict queue. */
    boolean keptBack;
    /** The time that one of them has; null for none. */
    @Nullable
    Reservation reservation;
    /** For whom that is kept which one of them could not start beside; null when nothing was. */
    @Nullable
    Reservation heldFor;
    /** Whether nothing but {@link #heldFor} keeps them from starting. */
    boolean waitsForHeld;
    /** Which time their verdicts tell of. */
    @Nullable
    Reservation toldOf;
    /** Whether {@link #toldOf} is another job's than before, or later. */
    boolean isTimeNew;
    /** The time told last at which their lane may start the next job; 0 for none. */
    long startToldMicros;
    /** Whether it is to be told anew. */
    boolean isStartNew;
    /** Whether one of them could not start while free capacity was kept for others who wait for victims. */
    boolean heldBack;
    /** Whether {@link #reason} was ever asked for. */
    boolean explained;
    /** Why they wait; null when nothing but a back-off keeps one of them from starting. */
    @Nullable
    Reason reason;

    /** Whether {@link #reason} has another code than when it was asked for before. */
    boolean isReasonNew;
    /** Room by quota when they were last tried or explained. */
    @Nullable
    Room roomSeen;

    /** Quota of an idle fleet when {@link #never} was found out; null before that. */
    @Nullable
    Room limitsSeen;

    /** The limit of jobs that run which they met when they were last explained; null for none. */
    LimitCheck.@Nullable Met limitSeen;

    /** Why none of them could ever start. */
    @Nullable
    Reason never;

    JobClass(
            QueueId queue,
            Lane lane,
            List<PodSet> podSets,
            TopologyWish topology,
            long mayRunSeconds,
            Account account,
            @Nullable Request request,
            int allFlavors) {
        this(queue, lane, podSets, topology, mayRunSeconds, account, request, request, null, allFlavors);
    }

    private JobClass(
            QueueId queue,
            Lane lane,
            List<PodSet> podSets,
            TopologyWish topology,
            long mayRunSeconds,
            Account account,
            @Nullable Request request,
            @Nullable Request whole,
            @Nullable OpenFlavors open,
            int allFlavors) {
        this.whole = whole;
        this.open = open;
        this.queue = queue;
        this.lane = lane;
        this.podSets = podSets;
        this.topology = topology;
        this.mayRunSeconds = mayRunSeconds;
        this.queueNumber = account.queue();
        this.account = account;
        this.request = request;
        this.flavors = new boolean[allFlavors];
        for (int s = 0; request != null && s < request.sets(); s++) {
            for (int flavor : request.flavors(s)) {
                flavors[flavor] = true;
            }
        }
    }

    /** Jobs that ask for the same, to which only these flavors are open. */
    JobClass with(OpenFlavors some, @Nullable Request onThose) {
        return new JobClass(
                queue,
                lane,
                podSets,
                topology,
                mayRunSeconds,
                account,
                some.areAll() ? whole : onThose,
                whole,
                some,
                flavors.length);
    }

    /** Takes in a new answer to why they wait. */
    void explain(@Nullable Reason now) {
        isReasonNew = !explained || codeOf(now) != codeOf(reason);
        explained = true;
        reason = now;
    }

    /** Takes in of which time their verdicts tell: their own, or that of the job for which capacity is kept. */
    void tell(@Nullable Reservation of) {
        isTimeNew = of != null
                && (toldOf == null || !of.job().equals(toldOf.job()) || of.startMicros() > toldOf.startMicros());
        toldOf = isTimeNew || of == null ? of : toldOf;
    }

    /** Why one of them waits. */
    Reason reasonFor(WaitingJob job, LanesNow lanes, long nowMicros) {
        if (reason == null) {
            return Sentences.backingOff(job.notBeforeMicros() - nowMicros);
        }
        Reservation own = reservation;
        Reason of = own != null && own.job().equals(job.job()) ? withTimeOf(reason, own) : reason;
        OpenFlavors some = someOpen();
        return some == null || !OF_PLACES.contains(of.code())
                ? of
                : Sentences.withFallback(of, some.names(), some.next(), opensMicros(job, lanes));
    }

    private static Reason withTimeOf(Reason reason, Reservation own) {
        return own.isOfQuota()
                ? Sentences.savedFor(reason, own.startMicros())
                : Sentences.withTime(reason, own.startMicros());
    }

    /** Flavors that are open to them; null when all are. */
    @Nullable
    OpenFlavors someOpen() {
        return open == null || open.areAll() ? null : open;
    }

    /** When another flavor opens to one of them, if some are closed; {@link LanesNow#NEVER} for never. */
    long opensMicros(WaitingJob job, LanesNow lanes) {
        OpenFlavors some = someOpen();
        return some == null
                ? LanesNow.NEVER
                : job.fallback().opensMicros(job.fallback().stepMicros(lane, lanes), some.number());
    }

    /** What each of their sets may use of the flavors that it names. */
    List<List<String>> openFlavors() {
        OpenFlavors some = someOpen();
        return (some == null ? podSets : some.podSets())
                .stream().map(PodSet::flavors).toList();
    }

    /** Takes in when their lane may start the next job; 0 when it may now. Once a minute a new time is told. */
    void tellStart(long nextMicros) {
        isStartNew = codeOf(reason) == ReasonCode.LANE_RATE && nextMicros > startToldMicros + RENEWED_AFTER_MICROS;
        startToldMicros = isStartNew ? nextMicros : startToldMicros;
    }

    /** Whether what is written of them names a job that they no longer wait for, or a time that is too early. */
    boolean isToldWrong() {
        return isTimeNew && waitsForHeld || isStartNew;
    }

    private static @Nullable ReasonCode codeOf(@Nullable Reason reason) {
        return reason == null ? null : reason.code();
    }

    /** What makes two jobs ask for the same; templates do not matter, nor does the name of an only set. */
    record Key(
            QueueId queue,
            String user,
            Lane lane,
            List<Ask> sets,
            TopologyWish topology,
            long mayRunSeconds,
            @Nullable NodeId anchor,
            int open) {

        /** Of how long they run only the first few bits count, so that jobs of many limits are of few classes. */
        private static final int BITS = 6;

        /**
         * @param user who submitted it, where jobs of different users may not start alike; else empty
         * @param open how many of the flavors that a set names are open to the job
         */
        static Key of(WaitingJob job, String user, int open) {
            return of(
                    job.queue(),
                    user,
                    job.lane(),
                    job.podSets(),
                    job.topology(),
                    job.mayRunSeconds(),
                    job.growth() == null ? null : job.growth().anchor(),
                    open);
        }

        static Key of(
                QueueId queue,
                String user,
                Lane lane,
                List<PodSet> podSets,
                TopologyWish topology,
                long mayRunSeconds,
                @Nullable NodeId anchor,
                int open) {
            Ask[] sets = new Ask[podSets.size()];
            for (int s = 0; s < sets.length; s++) {
                PodSet set = podSets.get(s);
                sets[s] = new Ask(
                        sets.length == 1 ? "" : set.name(),
                        set.count(),
                        set.minCount(),
                        PodShape.of(set),
                        set.flavors(),
                        set.topology(),
                        set.segment(),
                        set.nodes(),
                        set.nics(),
                        ties(podSets, set));
            }
            return new Key(queue, user, lane, List.of(sets), topology, roundedUp(mayRunSeconds), anchor, open);
        }

        static long roundedUp(long seconds) {
            int shift = Math.max(0, Long.SIZE - Long.numberOfLeadingZeros(seconds) - BITS);
            return seconds + (1L << shift) - 1 >> shift << shift;
        }
    }

    /** Affinities with the number of the other set for its name. */
    private static List<Tie> ties(List<PodSet> podSets, PodSet set) {
        if (set.affinity().isEmpty()) {
            return List.of();
        }
        List<String> names = podSets.stream().map(PodSet::name).toList();
        return set.affinity().stream()
                .map(one -> new Tie(names.indexOf(one.podSet()), one.level(), one.kind()))
                .toList();
    }

    record Tie(int other, String level, SetAffinity.Kind kind) {}

    /** Reasons name one of several sets. */
    record Ask(
            String name,
            int count,
            int minCount,
            PodShape shape,
            List<String> flavors,
            TopologyWish topology,
            @Nullable TopologySegment segment,
            NodeRules nodes,
            NicRequest nics,
            List<Tie> ties) {}
}
