package dev.tutti.simulator.experiment;

import dev.tutti.allocator.board.Board;
import dev.tutti.allocator.board.Layout;
import dev.tutti.allocator.board.Trail;
import dev.tutti.allocator.fit.Request;
import dev.tutti.allocator.fit.Room;
import dev.tutti.allocator.fit.Search;
import dev.tutti.allocator.policy.Fragmentation;
import dev.tutti.allocator.policy.Mix;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;

/**
 * One run: pods arrive one at a time and stay for good; one that fits nowhere is dropped and never tried again, but counts
 * as arrived.
 */
public final class ArrivalRun {

    private static final int PERCENT = 100;
    /** Percent between two looks at what is idle. */
    private static final int LOOK = 10;

    private final Workload workload;
    private final long capacityMilli;
    private final Board board;
    private final Trail trail;
    private final Player player;
    private final Search search;
    private final Request[] requests;
    private final Room room;
    private final int[] refused;
    private final NavigableMap<Integer, Outcome.Idle> idle = new TreeMap<>();

    private ArrivalRun(Fleet fleet, Workload workload, Contestant contestant, long seed) {
        this.workload = workload;
        capacityMilli = fleet.capacityMilli();
        Layout layout = Layout.of(fleet.names(), fleet.arrays());
        board = Board.free(layout, fleet.arrays());
        trail = new Trail(board);
        player = contestant.enter(board, workload.mix(), new Random(~seed));
        search = new Search(board, player.choice());
        requests = workload.kinds().stream()
                .map(ask -> Request.ofOnePod(layout, ask.shape(), ask.flavors()))
                .toArray(Request[]::new);
        room = Room.unlimited(layout.flavors());
        refused = new int[requests.length];
    }

    /**
     * Plays it.
     *
     * @param fleet with GPUs
     * @param workload with pods that ask for GPUs
     * @param percent milli-GPU that arrive, in percent of the capacity, 1 and up
     * @param seed draws the arrivals and, for policies that need it, the order of the nodes
     */
    public static Outcome play(Fleet fleet, Workload workload, Contestant contestant, int percent, long seed) {
        ArrivalRun run = new ArrivalRun(fleet, workload, contestant, seed);
        return run.play(percent, workload.arrivals(run.capacityMilli * percent / PERCENT, new Random(seed)));
    }

    private Outcome play(int percent, int[] arrivals) {
        Curve curve = new Curve(capacityMilli, percent);
        long arrived = 0;
        long allocated = 0;
        long aside = 0;
        int nextLook = 0;
        long started = CpuClock.nanos();
        for (int kind : arrivals) {
            long milli = workload.milliOf(kind);
            arrived += milli;
            allocated += place(kind) ? milli : 0;
            curve.add(arrived, allocated);
            int now = (int) (arrived * PERCENT / capacityMilli);
            if (now >= nextLook) {
                aside += look(now / LOOK * LOOK, allocated);
                nextLook = now / LOOK * LOOK + LOOK;
            }
        }
        long nanos = CpuClock.nanos() - started - aside;
        look(percent, allocated);
        return new Outcome(curve, idle, arrivals.length, refusals(), nanos);
    }

    private boolean place(int kind) {
        Mix.Ask ask = workload.kinds().get(kind);
        player.listener().arrived(ask.shape(), ask.flavors(), 1);
        boolean placed = search.place(requests[kind], room, trail);
        trail.keep();
        refused[kind] += placed ? 0 : 1;
        return placed;
    }

    /** Notes what is idle; returns how long that took, in nanoseconds. */
    private long look(int percent, long allocated) {
        long began = CpuClock.nanos();
        double unusable = Fragmentation.unusableMilli(board, workload.mix());
        idle.put(percent, new Outcome.Idle(capacityMilli - allocated, unusable));
        return CpuClock.nanos() - began;
    }

    private Map<Long, Integer> refusals() {
        Map<Long, Integer> refusals = new TreeMap<>();
        for (int kind = 0; kind < refused.length; kind++) {
            if (refused[kind] > 0) {
                refusals.merge(workload.milliOf(kind), refused[kind], Integer::sum);
            }
        }
        return refusals;
    }
}
