package dev.tutti.allocator;

import dev.tutti.allocator.Finding.Decider;
import dev.tutti.allocator.Finding.Outcome;
import dev.tutti.allocator.board.Board;
import dev.tutti.allocator.board.Layout;
import dev.tutti.allocator.board.NodeSet;
import dev.tutti.allocator.fit.Measure;
import dev.tutti.allocator.fit.Request;
import dev.tutti.allocator.fit.Resource;
import dev.tutti.allocator.fit.Room;
import dev.tutti.allocator.fleet.FleetArrays;
import dev.tutti.allocator.quota.QuotaCheck;
import dev.tutti.allocator.reason.QuotaShortage;
import dev.tutti.allocator.reason.Sentences;
import dev.tutti.allocator.reason.Shortage;
import dev.tutti.model.life.Reason;
import dev.tutti.model.life.ReasonCode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What each that decides over a job's start says of it, after a decision. Sums are asked of each apart, whatever the others
 * say; a place is not searched for again: the verdict says what came of that.
 */
final class Deciders {

    /** What runs or starts is counted, beside quota. */
    private static final Set<ReasonCode> OF_RUNS = Set.of(
            ReasonCode.LANE_RATE, ReasonCode.RUNNING_JOBS_LIMIT, ReasonCode.USER_LIMIT, ReasonCode.WHOLE_NODES_LIMIT);

    private final FleetArrays fleet;
    private final LanesNow lanes;
    private final Board board;
    private final QuotaCheck quota;
    private final Measure measure;

    Deciders(Snapshot snapshot, Board board, QuotaCheck quota, Measure measure) {
        this.fleet = snapshot.fleet();
        this.lanes = snapshot.queues().lanes();
        this.board = board;
        this.quota = quota;
        this.measure = measure;
    }

    /** One that starts passes all. */
    static List<Finding> pass() {
        return Arrays.stream(Decider.values()).map(Finding::passes).toList();
    }

    /**
     * Of a job that waits.
     *
     * @param verdict why
     * @param never why it could never start; null when it could
     */
    List<Finding> of(JobClass kind, WaitingJob job, long nowMicros, Reason verdict, @Nullable Reason never) {
        Request request = kind.request;
        if (request == null || kind.queueNumber < 0) {
            return Arrays.stream(Decider.values())
                    .map(each -> each == Decider.ADMISSION ? Finding.blocks(each, verdict) : Finding.notAsked(each))
                    .toList();
        }
        Room room = quota.roomByQuota(kind.account);
        Request allowed = request.within(room);
        boolean isOver = !allowed.hasFlavors();
        Reason noFlavor = only(never, ReasonCode.NO_MATCHING_FLAVOR);
        Reason lack = noFlavor == null ? Shortage.ofFree(isOver ? request : allowed, measure) : null;
        List<Finding> all = new ArrayList<>();
        all.add(admission(kind, job, nowMicros, verdict));
        all.add(quota(kind, request, room, isOver && request.hasFlavors()));
        all.add(of(Decider.GANG_SIZE, only(never, ReasonCode.EXCEEDS_LIMIT)));
        all.add(ofOpen(kind, job, flavor(request, noFlavor)));
        all.add(noFlavor == null ? capacity(request, lack) : Finding.notAsked(Decider.CAPACITY));
        all.add(topology(verdict));
        all.add(of(Decider.BANDWIDTH, isOfNics(lack) ? lack : null));
        all.add(reservation(verdict));
        return all;
    }

    private Finding admission(JobClass kind, WaitingJob job, long nowMicros, Reason verdict) {
        Long opens = quota.lanes().opens(kind.lane);
        Reason reason = quota.isHeld(kind.queueNumber)
                ? Sentences.queueHeld()
                : opens != null
                        ? Sentences.laneClosed(kind.lane, opens)
                        : job.notBeforeMicros() > nowMicros
                                ? Sentences.backingOff(job.notBeforeMicros() - nowMicros)
                                : OF_RUNS.contains(verdict.code()) ? verdict : null;
        return of(Decider.ADMISSION, reason);
    }

    private static Finding quota(JobClass kind, Request request, Room room, boolean isOver) {
        if (isOver) {
            return Finding.blocks(
                    Decider.QUOTA, QuotaShortage.of(kind.lane, request, room, ReasonCode.WAITING_FOR_QUOTA));
        }
        Resource resource = counted(request);
        long most = flavorsOf(request).stream()
                .mapToLong(flavor -> room.of(resource, flavor))
                .max()
                .orElse(0);
        return passes(
                Decider.QUOTA,
                resource,
                Shortage.leastOf(request, resource),
                most == Room.UNLIMITED ? null : Long.valueOf(most));
    }

    private static Finding of(Decider decider, @Nullable Reason reason) {
        return reason == null ? Finding.passes(decider) : Finding.blocks(decider, reason);
    }

    private Finding flavor(Request request, @Nullable Reason noFlavor) {
        if (noFlavor != null) {
            return Finding.blocks(Decider.FLAVOR_AND_HEALTH, noFlavor);
        }
        long wanted = Shortage.leastOf(request, Resource.GPUS);
        if (wanted == 0) {
            return Finding.passes(Decider.FLAVOR_AND_HEALTH);
        }
        long healthy = healthy(request);
        return healthy < wanted
                ? Finding.blocks(Decider.FLAVOR_AND_HEALTH, Sentences.tooFewHealthy(wanted, healthy))
                : passes(Decider.FLAVOR_AND_HEALTH, Resource.GPUS, wanted, healthy);
    }

    /** What it says of a job is of the flavors that are open to it: which those are, and when another is. */
    private Finding ofOpen(JobClass kind, WaitingJob job, Finding found) {
        OpenFlavors open = kind.someOpen();
        if (open == null) {
            return found;
        }
        long until = kind.opensMicros(job, lanes);
        return found.onSomeFlavors(Sentences.keepsTo(open.names(), open.next(), until), until);
    }

    private Finding capacity(Request request, @Nullable Reason lack) {
        if (lack != null && !isOfNics(lack)) {
            return Finding.blocks(Decider.CAPACITY, lack);
        }
        Resource resource = counted(request);
        return passes(
                Decider.CAPACITY,
                resource,
                Shortage.leastOf(request, resource),
                Shortage.freeFor(request, measure, resource));
    }

    private static Finding topology(Reason verdict) {
        return switch (verdict.code()) {
            case FRAGMENTED, TOPOLOGY -> Finding.blocks(Decider.TOPOLOGY, verdict);
            case LANE_RATE -> Finding.passes(Decider.TOPOLOGY);
            default -> Finding.notAsked(Decider.TOPOLOGY);
        };
    }

    private static Finding reservation(Reason verdict) {
        return switch (verdict.code()) {
            case RESERVED_FOR_OTHER, WAITING_FOR_VICTIMS -> Finding.blocks(Decider.RESERVATION, verdict);
            case LANE_RATE -> Finding.passes(Decider.RESERVATION);
            default -> Finding.notAsked(Decider.RESERVATION);
        };
    }

    /** What open nodes that it may use have of GPUs that are well, whoever holds them. */
    private long healthy(Request request) {
        Layout layout = board.layout();
        long milli = 0;
        for (int flavor : flavorsOf(request)) {
            for (int p = layout.flavorLo[flavor]; p < layout.flavorLo[flavor + 1]; p++) {
                for (int d = layout.deviceLo[p]; mayUse(request, p) && d < layout.deviceLo[p + 1]; d++) {
                    milli += fleet.deviceWhole()[layout.device[d]];
                }
            }
        }
        return milli;
    }

    private boolean mayUse(Request request, int position) {
        for (int s = 0; board.open(position) && s < request.sets(); s++) {
            NodeSet nodes = request.shape(s).nodes();
            if (nodes.has(position) && request.shape(s).devices() > 0) {
                return true;
            }
        }
        return false;
    }

    private static List<Integer> flavorsOf(Request request) {
        return Stream.iterate(0, s -> s < request.sets(), s -> s + 1)
                .flatMap(s -> Arrays.stream(request.flavors(s)).boxed())
                .distinct()
                .toList();
    }

    private static @Nullable Reason only(@Nullable Reason never, ReasonCode code) {
        return never != null && never.code() == code ? never : null;
    }

    private static boolean isOfNics(@Nullable Reason lack) {
        return lack != null && Resource.NICS.field.equals(lack.resource());
    }

    private static Resource counted(Request request) {
        return Shortage.leastOf(request, Resource.GPUS) > 0 ? Resource.GPUS : Resource.CPU;
    }

    private static Finding passes(Decider decider, Resource resource, long wanted, @Nullable Long available) {
        return new Finding(decider, Outcome.PASSES, resource.field, wanted, available, null);
    }
}
