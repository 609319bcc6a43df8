package dev.tutti.simulator.experiment;

import dev.tutti.allocator.board.Board;
import dev.tutti.allocator.board.Layout;
import dev.tutti.allocator.board.Trail;
import dev.tutti.allocator.fit.NodeChoice;
import dev.tutti.allocator.fit.Request;
import dev.tutti.allocator.fit.Search;
import dev.tutti.allocator.policy.Fragmentation;
import dev.tutti.allocator.policy.Mix;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/**
 * One run: pods arrive one at a time and stay for good; one that fits nowhere is dropped and never tried again, but counts
 * as arrived.
 */
public final class ArrivalRun {

    private static final int PERCENT = 100;

    private final Fleet fleet;
    private final Workload workload;
    private final Board board;
    private final Trail trail;
    private final Search search;
    private final NodeChoice choice;
    private final Request[] requests;
    private final long[] room;
    private final int[] refused;
    private final Random random;

    private ArrivalRun(Fleet fleet, Workload workload, Contestant contestant, long seed) {
        this.fleet = fleet;
        this.workload = workload;
        random = new Random(seed);
        Layout layout = Layout.of(fleet.names(), fleet.arrays());
        board = Board.free(layout, fleet.arrays());
        trail = new Trail(board);
        choice = contestant.over(board, workload.mix(), new Random(~seed));
        search = new Search(board, choice);
        requests = workload.kinds().stream()
                .map(ask -> Request.ofOnePod(layout, ask.shape(), ask.flavors()))
                .toArray(Request[]::new);
        room = new long[layout.flavors()];
        Arrays.fill(room, Long.MAX_VALUE / 2);
        refused = new int[requests.length];
    }

    /**
     * Plays it.
     *
     * @param percent milli-GPU that arrive, in percent of the capacity
     * @param seed draws the arrivals and, for policies that need it, the order of the nodes
     */
    public static Outcome play(Fleet fleet, Workload workload, Contestant contestant, int percent, long seed) {
        return new ArrivalRun(fleet, workload, contestant, seed).play(percent);
    }

    private Outcome play(int percent) {
        long capacity = fleet.capacityMilli();
        int[] arrivals = workload.arrivals(capacity * percent / PERCENT, random);
        Curve curve = new Curve(capacity, percent);
        Map<Integer, Double> fragments = new TreeMap<>();
        long arrived = 0;
        long allocated = 0;
        long aside = 0;
        long started = System.nanoTime();
        for (int kind : arrivals) {
            long milli = workload.milliOf(kind);
            arrived += milli;
            allocated += place(kind) ? milli : 0;
            int now = curve.add(arrived, allocated);
            if (now % 10 == 0 && !fragments.containsKey(now)) {
                long before = System.nanoTime();
                fragments.put(now, Fragmentation.unusableMilli(board, workload.mix()));
                aside += System.nanoTime() - before;
            }
        }
        long nanos = System.nanoTime() - started - aside;
        return new Outcome(curve, fragments, arrivals.length, capacity - allocated, refusals(), nanos);
    }

    private boolean place(int kind) {
        Mix.Ask ask = workload.kinds().get(kind);
        if (choice instanceof LearningChoice learning) {
            learning.arrived(ask.shape(), ask.flavors());
        }
        boolean placed = search.place(requests[kind], room, trail);
        trail.keep();
        refused[kind] += placed ? 0 : 1;
        return placed;
    }

    /** Pods refused, by milli-GPU in all. */
    private Map<Long, Integer> refusals() {
        Map<Long, Integer> refusals = new TreeMap<>();
        for (int kind = 0; kind < refused.length; kind++) {
            if (refused[kind] > 0) {
                refusals.merge(workload.milliOf(kind), refused[kind], Integer::sum);
            }
        }
        return refusals;
    }

    /**
     * What came of it.
     *
     * @param curve percent allocated by percent arrived
     * @param fragmentMilli idle milli-GPU that the average pod of the trace could not use, every tenth percent
     * @param pods pods that arrived
     * @param idleMilli milli-GPU idle at the end
     * @param refused pods refused, by the milli-GPU each asked for
     * @param nanos time that all placements took, in nanoseconds
     */
    public record Outcome(
            Curve curve,
            Map<Integer, Double> fragmentMilli,
            int pods,
            long idleMilli,
            Map<Long, Integer> refused,
            long nanos) {}
}
