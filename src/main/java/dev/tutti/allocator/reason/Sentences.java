package dev.tutti.allocator.reason;

import dev.tutti.allocator.board.NodeSet;
import dev.tutti.allocator.fit.Request;
import dev.tutti.allocator.fit.Resource;
import dev.tutti.allocator.fleet.FleetNames;
import dev.tutti.model.JobId;
import dev.tutti.model.fleet.TopologyLevels;
import dev.tutti.model.job.Lane;
import dev.tutti.model.job.PodSet;
import dev.tutti.model.job.SetAffinity;
import dev.tutti.model.job.TopologySegment;
import dev.tutti.model.job.TopologyWish;
import dev.tutti.model.life.Reason;
import dev.tutti.model.life.ReasonCode;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The plain sentence of each reason. Names nothing of other tenants. */
public final class Sentences {

    private static final String NEVER_SO_NEAR =
            "It would fit into this fleet if it were empty, but never as near together as its topology requires";

    static final String TOO_LITTLE_FREE = "Less is free than it needs";
    private static final String FRAGMENTED = "Enough is free, but no set of nodes has it in the pieces this job needs";
    private static final String SEARCH_STOPPED =
            "The search for a place stopped before it had tried every way, and is done again when something changes; so far"
                    + " it found no place ";

    private static final String ASK =
            " A job that may cross it says so with topology.required: " + TopologyLevels.CLUSTER_LEVEL + ".";

    private static final long MICROS_PER_SECOND = 1_000_000;

    private Sentences() {}

    public static Reason unknownLevel(TopologyWish wish, List<PodSet> podSets, List<String> levels) {
        String unknown = Stream.concat(levelsOf(wish), podSets.stream().flatMap(Sentences::levelsOf))
                .filter(level -> !levels.contains(level))
                .filter(level ->
                        !level.equals(TopologyLevels.CLUSTER_LEVEL) && !level.equals(TopologyLevels.NODE_LEVEL))
                .distinct()
                .collect(Collectors.joining(", "));
        String known = Stream.of(
                        Stream.of(TopologyLevels.CLUSTER_LEVEL), levels.stream(), Stream.of(TopologyLevels.NODE_LEVEL))
                .flatMap(each -> each)
                .collect(Collectors.joining(", "));
        return plain(
                ReasonCode.MISCONFIGURED,
                "Its topology wish names a level that is not configured: " + unknown + "; there are " + known + ".");
    }

    private static Stream<String> levelsOf(PodSet set) {
        Stream<String> ofSegment = Stream.ofNullable(set.segment()).map(TopologySegment::level);
        Stream<String> ofOthers = set.affinity().stream().map(SetAffinity::level);
        return Stream.concat(levelsOf(set.topology()), Stream.concat(ofSegment, ofOthers));
    }

    private static Stream<String> levelsOf(TopologyWish wish) {
        return Stream.of(wish.required(), wish.preferred()).filter(Objects::nonNull);
    }

    /** What no place was found for, though there may be one. */
    static String unlessSure(boolean isSure, String notFound, String sure) {
        return isSure ? sure : SEARCH_STOPPED + notFound;
    }

    public static String fragmented(boolean isSure) {
        return unlessSure(isSure, "with the pieces this job needs, though enough is free", FRAGMENTED);
    }

    /** What domains of a depth are called. */
    static String level(FleetNames names, int depth) {
        if (depth == 0) {
            return TopologyLevels.CLUSTER_LEVEL;
        }
        return depth > names.levels().size() ? "node" : names.levels().get(depth - 1);
    }

    /** It fits, but not as near as it must be. */
    public static String tooFarApart(boolean isSure, @Nullable String boundary) {
        String where = boundary == null ? "one domain of the topology level it requires" : "one " + boundary;
        return unlessSure(isSure, "within " + where, "It fits, but not within " + where);
    }

    /** What a job can do about a level that it must not cross unasked; nothing when there is none. */
    public static String advice(@Nullable String boundary) {
        return boundary == null ? "" : ASK;
    }

    /** It would fit into an empty fleet, but not as near as it must be. */
    public static String neverSoNear(Request request) {
        return request.boundary() == null ? NEVER_SO_NEAR : largerThan(request, "one " + request.boundary());
    }

    /**
     * It does not fit into an empty fleet, wherever its pods are.
     *
     * @param isOneCluster whether the fleet is one cluster; no job runs in two
     */
    public static String tooLarge(Request request, boolean isOneCluster) {
        return largerThan(request, isOneCluster ? "this fleet" : "one cluster");
    }

    /** All pods of a set run on one flavor, in one such place. */
    private static String largerThan(Request request, String place) {
        boolean isChoosy = IntStream.range(0, request.sets())
                .anyMatch(s -> request.shape(s).nodes() != NodeSet.ALL);
        String nodes = isChoosy ? " on nodes that it may use" : "";
        return request.sets() == 1
                ? "It is larger than all that one flavor of " + place + " could ever hold" + nodes
                        + ", and all pods of a set run on one flavor"
                : "It is larger than all that " + place + " could ever hold" + nodes
                        + ", with all pods of each set on one flavor";
    }

    public static Reason unknownQueue() {
        return plain(ReasonCode.MISCONFIGURED, "Its queue is not known.");
    }

    /** It would fit, but takes its turn. */
    public static Reason keptBack() {
        return plain(
                ReasonCode.RESERVED_FOR_OTHER,
                "Its queue is strict, and a job before it waits for the flavors it could start on.");
    }

    /**
     * It would fit, but another job needs its place before it would have ended.
     *
     * @param job that job; null for one of another queue, of which its readers may know no more than that it is there
     */
    public static Reason reservedFor(@Nullable JobId job, long startMicros) {
        return plain(
                ReasonCode.RESERVED_FOR_OTHER,
                "What it could start on is reserved for " + (job == null ? "a job of another queue" : "job " + job)
                        + " until " + time(startMicros)
                        + " at the latest. Jobs whose maxRuntimeSeconds lets them end before may use it.");
    }

    /** The same reason of a job that has a time. */
    public static Reason withTime(Reason reason, long startMicros) {
        return with(
                reason,
                " It starts at " + time(startMicros)
                        + " at the latest, if the jobs that run now keep to their limits.");
    }

    /** The same reason of a job for which its queue saves quota. */
    public static Reason savedFor(Reason reason, long enoughMicros) {
        return with(
                reason,
                " From " + time(enoughMicros) + " on its queue has saved enough for it, if the jobs that run now keep"
                        + " to their limits; what others borrow then is asked back.");
    }

    private static Reason with(Reason reason, String more) {
        return new Reason(
                reason.code(), reason.resource(), reason.wanted(), reason.available(), reason.detail() + more);
    }

    /**
     * The same reason of a job that may not use all flavors yet that it names.
     *
     * @param names those that it may use
     * @param next those that follow
     * @param untilMicros when they do; {@link Long#MAX_VALUE} for never
     */
    public static Reason withFallback(Reason reason, List<String> names, List<String> next, long untilMicros) {
        return new Reason(
                reason.code(),
                reason.resource(),
                reason.wanted(),
                reason.available(),
                reason.detail() + " " + keepsTo(names, next, untilMicros),
                untilMicros);
    }

    /** That a job may use only some of the flavors that it names, as in {@link #withFallback}. */
    public static String keepsTo(List<String> names, List<String> next, long untilMicros) {
        String those = String.join(", ", names);
        String others = String.join(", ", next);
        return untilMicros == Long.MAX_VALUE
                ? "It keeps to " + those + ", which it names first, and never uses " + others
                        + ": its lane does not fall back. A job that may says so with fallbackAfterSeconds."
                : "It keeps to " + those + " until " + time(untilMicros) + "; then it may use " + others + " too.";
    }

    private static Instant time(long micros) {
        return Instant.ofEpochSecond(-Math.floorDiv(-micros, MICROS_PER_SECOND));
    }

    /** What it needs of a resource, and how much of that is free already and kept for it. */
    public static Reason waitingForVictims(Resource resource, long wanted, long available) {
        String detail = there(
                "Others give way so that it can start, and what is free of its place is for nobody else",
                Amounts.of(resource, wanted),
                Amounts.of(resource, available));
        return new Reason(ReasonCode.WAITING_FOR_VICTIMS, resource.field, wanted, available, detail);
    }

    public static Reason keptForOthers() {
        return plain(
                ReasonCode.RESERVED_FOR_OTHER,
                "It would fit, but what is free is kept for jobs that wait for others to stop.");
    }

    /** What it needs, and what of it is on open nodes and well, whoever holds it. */
    public static Reason tooFewHealthy(long wantedMilli, long healthyMilli) {
        String detail = there(
                "The open nodes that it may use have fewer healthy GPUs than it needs",
                Amounts.of(Resource.GPUS, wantedMilli),
                Amounts.of(Resource.GPUS, healthyMilli));
        return new Reason(ReasonCode.WAITING_FOR_CAPACITY, Resource.GPUS.field, wantedMilli, healthyMilli, detail);
    }

    public static Reason queueHeld() {
        return plain(ReasonCode.QUEUE_HELD, "An operator holds its queue or one above it; nothing starts there.");
    }

    /** @param opensMicros when it opens; {@link Long#MAX_VALUE} for never */
    public static Reason laneClosed(Lane lane, long opensMicros) {
        String opens = opensMicros == Long.MAX_VALUE
                ? " and has no hour to open"
                : "; it opens at " + Instant.EPOCH.plus(opensMicros, ChronoUnit.MICROS);
        return plain(ReasonCode.LANE_CLOSED, "The " + lane.word() + " lane is closed now" + opens + ".");
    }

    /** @param nextMicros when it may start the next, in microseconds since 1970 */
    public static Reason laneUsedUp(Lane lane, int limit, long nextMicros) {
        return plain(
                ReasonCode.LANE_RATE,
                "The " + lane.word() + " lane starts no more than " + limit + (limit == 1 ? " job" : " jobs")
                        + " in any minute, and has; it may start the next at "
                        + Instant.EPOCH.plus(nextMicros, ChronoUnit.MICROS) + ".");
    }

    public static Reason backingOff(long micros) {
        long seconds = Math.max(1, (micros + MICROS_PER_SECOND - 1) / MICROS_PER_SECOND);
        return plain(
                ReasonCode.BACKING_OFF, "It is not tried again for " + seconds + " s after its last start came to nothing.");
    }

    /** What a gang needs, against all that there is of it. */
    public static String there(String sentence, String wanted, String available) {
        return sentence + ": " + wanted + " needed, " + available + " there.";
    }

    /** What a gang needs, against the part of it for whose pods there is room. */
    public static String room(String sentence, String wanted, String available) {
        return sentence + ": " + wanted + " needed, room for " + available + ".";
    }

    private static Reason plain(ReasonCode code, String detail) {
        return new Reason(code, null, 0, 0, detail);
    }
}
