package dev.tutti.simulator.experiment;

import dev.tutti.allocator.board.Board;
import dev.tutti.allocator.board.Layout;
import dev.tutti.allocator.board.Trail;
import dev.tutti.allocator.fit.Request;
import dev.tutti.allocator.fit.Room;
import dev.tutti.allocator.fit.Search;
import dev.tutti.allocator.fleet.FleetArrays;
import dev.tutti.allocator.fleet.FleetNames;
import dev.tutti.allocator.policy.Mix;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/**
 * One run: on a fleet that is partly in use gangs arrive and others end, so that before each arrival no more than a share
 * drawn from 50 to 89 % of the GPUs is in use. For every gang an independent count says where it must go.
 */
public final class GangRun {

    private static final int FILLED_PERCENT = 70;
    private static final int LEAST_PERCENT = 50;
    private static final int SPREAD_PERCENT = 40;

    private final FleetNames names;
    private final FleetArrays fleet;
    private final Layout layout;
    private final Trail trail;
    private final Census census;
    private final Tenants tenants;
    private final Player player;
    private final Search search;
    private final GangDraw draw;
    private final Random random;
    private final Room room;

    private GangRun(Fleet fleet, Contestant contestant, long seed) {
        names = fleet.names();
        this.fleet = fleet.arrays();
        random = new Random(seed);
        layout = Layout.of(fleet.names(), this.fleet);
        Board board = Board.free(layout, this.fleet);
        trail = new Trail(board);
        census = new Census(this.fleet);
        draw = new GangDraw(fleet, census, new Random(~seed));
        player = contestant.enter(board, Mix.UNKNOWN, random);
        search = new Search(board, player.choice());
        room = Room.unlimited(layout.flavors());
        tenants = new Tenants(this.fleet, board, trail, census, random);
        tenants.fillTo(FILLED_PERCENT);
    }

    /**
     * Plays it.
     *
     * @param fleet with levels of a topology
     * @param gangs how many arrive, 1 and up
     * @param wishes false to have the same gangs placed as if they did not care where
     */
    public static List<GangOutcome> play(Fleet fleet, Contestant contestant, int gangs, boolean wishes, long seed) {
        GangRun run = new GangRun(fleet, contestant, seed);
        List<GangOutcome> outcomes = new ArrayList<>();
        for (int i = 0; i < gangs; i++) {
            run.tenants.emptyTo(LEAST_PERCENT + run.random.nextInt(SPREAD_PERCENT));
            outcomes.add(run.place(run.draw.next(), wishes));
        }
        return outcomes;
    }

    private GangOutcome place(Gang gang, boolean wishes) {
        Optional<Census.Smallest> expected = census.smallest(gang, flavor(gang));
        Request wished = gang.request(layout, names);
        Request request = wishes ? wished : wished.anywhere();
        gang.sets()
                .forEach(set -> player.listener().arrived(Gang.shape(set.gpus()), List.of(gang.flavor()), set.count()));
        long began = CpuClock.nanos();
        boolean placed = search.place(request, room, trail);
        long nanos = CpuClock.nanos() - began;
        boolean isSmallest = placed && expected.isPresent() && isAsExpected(gang, expected.get());
        Pairs racks = new Pairs();
        Pairs islands = new Pairs();
        for (int pod = 0; pod < trail.size(); pod++) {
            for (int device : trail.devices(pod)) {
                racks.add(census.domain(census.nodeDepth() - 1, trail.node(pod)));
                islands.add(((long) trail.node(pod) << Integer.SIZE) + fleet.island()[device]);
            }
        }
        if (placed) {
            tenants.moveIn();
        }
        return new GangOutcome(
                gang, expected.isPresent(), placed, isSmallest, racks.all(), racks.across(), islands.across(), nanos);
    }

    private boolean isAsExpected(Gang gang, Census.Smallest expected) {
        int domain = census.domain(expected.depth(), trail.node(0));
        for (int pod = 0; pod < trail.size(); pod++) {
            if (census.domain(expected.depth(), trail.node(pod)) != domain) {
                return false;
            }
        }
        return trail.size() == expected.pods()
                && census.freeGpus(expected.depth(), domain, flavor(gang)) == expected.freeGpus();
    }

    private int flavor(Gang gang) {
        int node = layout.node[layout.flavorLo[layout.flavorOf(gang.flavor())]];
        return fleet.flavor()[node];
    }
}
