package dev.tutti.simulator.experiment;

import dev.tutti.allocator.board.Board;
import dev.tutti.allocator.board.PodShape;
import dev.tutti.allocator.board.Trail;
import dev.tutti.allocator.fleet.FleetArrays;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Who runs on the fleet: what was placed stays until it is ended, on the board and in the census alike. */
final class Tenants {

    private static final int PERCENT = 100;

    private final FleetArrays fleet;
    private final Board board;
    private final Trail trail;
    private final Census census;
    private final Random random;
    /** Number on the board of each device of the fleet. */
    private final int[] deviceAt;

    private final List<List<Pod>> jobs = new ArrayList<>();
    private long used;

    Tenants(FleetArrays fleet, Board board, Trail trail, Census census, Random random) {
        this.fleet = fleet;
        this.board = board;
        this.trail = trail;
        this.census = census;
        this.random = random;
        deviceAt = new int[fleet.devices()];
        for (int d = 0; d < deviceAt.length; d++) {
            deviceAt[board.layout().device[d]] = d;
        }
    }

    /** One pod that runs, with the fleet's numbers of its devices. */
    private record Pod(int position, int node, PodShape shape, int[] devices) {}

    int usedPercent() {
        return (int) (used * PERCENT / fleet.devices());
    }

    /** Puts pods of one to all GPUs on nodes drawn at random, half of them on all that is left. */
    void fillTo(int percent) {
        while (usedPercent() < percent) {
            int position = random.nextInt(fleet.nodes());
            int whole = board.whole(position);
            if (whole > 0) {
                trail.place(0, Gang.shape(random.nextBoolean() ? whole : 1 + random.nextInt(whole)), position, -1);
                moveIn();
            }
        }
    }

    /** Ends jobs drawn at random until no more than {@code percent} of the GPUs is in use. */
    void emptyTo(int percent) {
        while (usedPercent() > percent) {
            int last = jobs.size() - 1;
            List<Pod> ended = jobs.set(random.nextInt(jobs.size()), jobs.get(last));
            jobs.remove(last);
            ended.forEach(this::end);
        }
    }

    /** What is on the trail stays. */
    void moveIn() {
        List<Pod> job = new ArrayList<>();
        for (int i = 0; i < trail.size(); i++) {
            int[] devices = trail.devices(i);
            job.add(new Pod(trail.position(i), trail.node(i), Gang.shape(devices.length), devices));
            census.take(trail.node(i), devices.length);
            used += devices.length;
        }
        jobs.add(job);
        trail.keep();
    }

    private void end(Pod pod) {
        int[] devices = pod.devices.clone();
        for (int i = 0; i < devices.length; i++) {
            devices[i] = deviceAt[devices[i]];
        }
        board.give(pod.position, pod.shape, devices, 0, devices.length);
        census.take(pod.node, -devices.length);
        used -= devices.length;
    }
}
