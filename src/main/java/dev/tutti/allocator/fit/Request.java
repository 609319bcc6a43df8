package dev.tutti.allocator.fit;

import dev.tutti.allocator.board.Layout;
import dev.tutti.allocator.board.NodeSet;
import dev.tutti.allocator.board.PodShape;
import dev.tutti.allocator.fleet.FleetNames;
import dev.tutti.model.job.NicRequest;
import dev.tutti.model.job.PodSet;
import dev.tutti.model.job.TopologyWish;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What one gang asks for, in the numbers of a {@link Layout}.
 *
 * <p>Depths: 0 is the cluster, then the levels, widest first, then the node.
 */
public final class Request {

    final PodShape[] shapes;
    final int[] min;
    final int[] count;
    /** Rounds of flavor choices, see {@link FlavorChoices}. */
    final int[][][] choices;
    /** Domains are tried from {@link Nearness#narrowest} to {@link Nearness#widest}. */
    final Nearness near;
    /** Which sets must share a domain, and which must not. */
    final Bonds bonds;
    /** Rounds of flavors of each set, from which {@link #choices} are made. */
    final int[][][] rounds;

    /** No anchor: pods may be on any node that their rules admit. */
    public static final int ANYWHERE = -1;

    private final Layout layout;

    private Request(
            Layout layout,
            PodShape[] shapes,
            int[] min,
            int[] count,
            int[][][] choices,
            int[][][] rounds,
            Nearness near,
            Bonds bonds) {
        this.layout = layout;
        this.rounds = rounds;
        this.bonds = bonds;
        this.shapes = shapes;
        this.min = min;
        this.count = count;
        this.choices = choices;
        this.near = near;
    }

    /** Translates what a job asks for; null when its topology wish or an affinity names a level that is not configured. */
    public static @Nullable Request of(Layout layout, FleetNames names, List<PodSet> podSets, TopologyWish wish) {
        return of(layout, names, podSets, wish, ANYWHERE);
    }

    /**
     * The same for pods that join others.
     *
     * @param anchor position of the node of one of those; {@link #ANYWHERE} for none. They have to be in the domain around it
     *     that the gang may not leave
     */
    public static @Nullable Request of(
            Layout layout, FleetNames names, List<PodSet> podSets, TopologyWish wish, int anchor) {
        int sets = podSets.size();
        PodShape[] shapes = new PodShape[sets];
        int[] min = new int[sets];
        int[] count = new int[sets];
        int[][][] rounds = new int[sets][][];
        for (int s = 0; s < sets; s++) {
            NicRequest nics = podSets.get(s).nics();
            NodeSet nodes = layout.eligibility.of(podSets.get(s).nodes());
            shapes[s] = PodShape.of(podSets.get(s))
                    .on(anchor == ANYWHERE ? nodes : around(layout, names, wish, podSets, anchor, nodes))
                    .with(
                            nics.nics(),
                            nics.resource().isEmpty() ? PodShape.ANY_RESOURCE : layout.nicResourceOf(nics.resource()));
            min[s] = podSets.get(s).minCount();
            count[s] = podSets.get(s).count();
            rounds[s] = FlavorWish.rounds(layout, shapes[s], podSets.get(s).flavors());
            shapes[s] = leastOn(layout, shapes[s], rounds[s]);
        }
        int[][][] choices = FlavorChoices.of(rounds);
        int implied = takesWholeNodes(layout, shapes, choices) ? layout.levels() : 0;
        Nearness near = Nearness.of(names, wish, implied, podSets);
        Bonds bonds = Bonds.of(names, podSets);
        return near == null || bonds == null
                ? null
                : new Request(layout, shapes, min, count, choices, rounds, near, bonds);
    }

    private static NodeSet around(
            Layout layout, FleetNames names, TopologyWish wish, List<PodSet> podSets, int anchor, NodeSet nodes) {
        Nearness near = Nearness.of(names, wish, 0, podSets);
        BitSet positions = new BitSet();
        for (int p = 0; near != null && anchor < layout.node.length && p < layout.node.length; p++) {
            positions.set(p, nodes.has(p) && layout.cells.areTogether(near.widest, anchor, p));
        }
        return NodeSet.passing(positions);
    }

    /** A MIG instance takes more of some GPUs than of others: the least that it takes of those it may be on. */
    private static PodShape leastOn(Layout layout, PodShape shape, int[][] rounds) {
        int[] flavors = Arrays.stream(rounds).flatMapToInt(Arrays::stream).toArray();
        if (!shape.isMig() || flavors.length == 0) {
            return shape;
        }
        long least = Long.MAX_VALUE;
        for (int flavor : flavors) {
            least = Math.min(least, layout.milliOn(flavor, shape));
        }
        return shape.atLeast((int) least);
    }

    /**
     * Whether each pod takes all devices of the node it goes to. Then all free nodes are worth the same, and being near
     * costs nothing.
     */
    private static boolean takesWholeNodes(Layout layout, PodShape[] shapes, int[][][] choices) {
        for (int[][] round : choices) {
            for (int[] choice : round) {
                for (int s = 0; s < choice.length; s++) {
                    if (!shapes[s].isWhole() || shapes[s].devices() < layout.mostDevicesOf[choice[s]]) {
                        return false;
                    }
                }
            }
        }
        return true;
    }

    /** One pod; all its flavors are equally welcome, none named means any. */
    public static Request ofOnePod(Layout layout, PodShape shape, List<String> flavors) {
        int[][] rounds = FlavorWish.anyOf(layout, shape, flavors);
        int[][][] choices = FlavorChoices.of(new int[][][] {rounds});
        return new Request(
                layout,
                new PodShape[] {shape},
                new int[] {1},
                new int[] {1},
                choices,
                new int[][][] {rounds},
                Nearness.none(1),
                Bonds.NONE);
    }

    /** Whether there are nodes of the flavors of a set, whether or not its pods may use them. */
    public static boolean hasFlavors(Layout layout, PodSet set) {
        return FlavorWish.rounds(layout, PodShape.of(set), set.flavors()).length > 0;
    }

    /** Positions of the nodes of its flavors, whether or not its pods may use them; only those with GPUs if they need any. */
    public static int[] positions(Layout layout, PodSet set) {
        PodShape shape = PodShape.of(set);
        return Arrays.stream(FlavorWish.rounds(layout, shape, set.flavors()))
                .flatMapToInt(Arrays::stream)
                .flatMap(flavor -> IntStream.range(layout.flavorLo[flavor], layout.flavorLo[flavor + 1]))
                .filter(p -> shape.devices() == 0 || layout.devicesOf(p) > 0)
                .toArray();
    }

    /** Whether there are nodes of its flavors that its pods may use. */
    public static boolean hasNodes(Layout layout, PodSet set) {
        PodShape shape = PodShape.of(set).on(layout.eligibility.of(set.nodes()));
        return FlavorWish.rounds(layout, shape, set.flavors()).length > 0;
    }

    /** The same gang with no more pods than must start together. */
    public Request least() {
        return isElastic() ? new Request(layout, shapes, min, min, choices, rounds, near, bonds) : this;
    }

    /** The same gang without its topology wish and without bonds between its sets. */
    public Request anywhere() {
        return new Request(layout, shapes, min, count, choices, rounds, Nearness.none(shapes.length), Bonds.NONE);
    }

    /** Whether some of its pods need some of it. */
    public boolean wants(Resource resource) {
        return Arrays.stream(shapes).anyMatch(shape -> resource.of(shape) > 0);
    }

    /** The same gang, on the same flavors, if its pods needed nothing of one resource. */
    public Request without(Resource resource) {
        return shaped(resource::without);
    }

    /** The same gang, on the same flavors, if its pods needed nothing but this. */
    public Request only(Resource resource) {
        Request request = this;
        for (Resource other : List.of(Resource.GPUS, Resource.CPU, Resource.MEMORY, Resource.NICS)) {
            request = other == resource ? request : request.without(other);
        }
        return request;
    }

    private Request shaped(UnaryOperator<PodShape> change) {
        PodShape[] others = Arrays.stream(shapes).map(change).toArray(PodShape[]::new);
        return new Request(layout, others, min, count, choices, rounds, near, bonds);
    }

    /** The same gang with only those choices of flavors for whose smallest start this room suffices. */
    public Request within(Room room) {
        int[][][] left =
                hasAllChoices() ? new int[0][][] : FewChoices.within(this, room).inRounds();
        if (left.length == 0) {
            left = Arrays.stream(choices)
                    .map(round -> Arrays.stream(round)
                            .filter(choice -> isWithin(room, choice))
                            .toArray(int[][]::new))
                    .filter(round -> round.length > 0)
                    .toArray(int[][][]::new);
        }
        return new Request(layout, shapes, min, count, left, rounds, near, bonds);
    }

    /** Whether {@link #choices} are all there are. */
    boolean hasAllChoices() {
        return FlavorChoices.areAll(rounds);
    }

    /** Names of the resources that its RDMA NICs must be of; none where some may be of any. */
    public List<String> nicResources() {
        int[] named = Arrays.stream(shapes)
                .filter(shape -> shape.nics() > 0)
                .mapToInt(PodShape::nicResource)
                .distinct()
                .toArray();
        return Arrays.stream(named).allMatch(layout::isNicResource)
                ? Arrays.stream(named).mapToObj(layout::nicResourceName).toList()
                : List.of();
    }

    /** The same gang without bonds between its sets. */
    public Request withoutBonds() {
        return new Request(layout, shapes, min, count, choices, rounds, near, Bonds.NONE);
    }

    /** The same gang with another shape of the pods of one set. */
    Request with(int set, PodShape shape) {
        PodShape[] others = shapes.clone();
        others[set] = shape;
        return new Request(layout, others, min, count, choices, rounds, near, bonds);
    }

    /** Whether some of its sets must share a domain, or must not. */
    public boolean hasBonds() {
        return !bonds.isEmpty();
    }

    /** Whether some of its sets must not share a domain. */
    public boolean isParted() {
        return bonds.part();
    }

    /** Depth of the widest domain that it may have. */
    public int widestDepth() {
        return near.widest;
    }

    /** Whether every pod set has a flavor in this fleet. */
    public boolean hasFlavors() {
        return choices.length > 0;
    }

    /** Whether a topology wish, a bond, or the boundary that gangs do not cross unasked can keep the job from starting. */
    public boolean isBound() {
        return near.isBound() || hasBonds();
    }

    /** The level that the gang may not cross although it requires nothing itself; null when there is none. */
    public @Nullable String boundary() {
        return near.boundary;
    }

    public int sets() {
        return shapes.length;
    }

    public PodShape shape(int set) {
        return shapes[set];
    }

    /** Pods of the set that must start together. */
    public int min(int set) {
        return min[set];
    }

    /** Pods of the smallest start. */
    public int leastPods() {
        return Arrays.stream(min).sum();
    }

    public String flavorName(int flavor) {
        return layout.flavorName(flavor);
    }

    /** Flavors that some choice gives to this set, ascending. */
    public int[] flavors(int set) {
        return Arrays.stream(choices)
                .flatMap(Arrays::stream)
                .mapToInt(choice -> choice[set])
                .sorted()
                .distinct()
                .toArray();
    }

    /** All choices, best first; a choice is the flavor of each pod set. */
    public int[][] allChoices() {
        return Arrays.stream(choices).flatMap(Arrays::stream).toArray(int[][]::new);
    }

    boolean isOnePod() {
        return shapes.length == 1 && count[0] == 1;
    }

    boolean isElastic() {
        return !Arrays.equals(min, count);
    }

    /** What so many pods of each set take of one flavor. */
    long needOf(Resource resource, int flavor, int[] choice, int[] pods) {
        long need = 0;
        for (int s = 0; s < choice.length; s++) {
            need += choice[s] == flavor ? pods[s] * needOf(resource, flavor, s) : 0;
        }
        return need;
    }

    /** Milli-GPU that so many pods of each set take of all flavors together. */
    long gpusOf(int[] choice, int[] pods) {
        long milli = 0;
        for (int s = 0; s < choice.length; s++) {
            milli += pods[s] * milliOn(choice[s], s);
        }
        return milli;
    }

    /** Milli-GPU that the smallest start takes under the choice that takes least; 0 without flavors. */
    public long leastGpus() {
        return Arrays.stream(choices)
                .flatMap(Arrays::stream)
                .mapToLong(choice -> gpusOf(choice, min))
                .min()
                .orElse(0);
    }

    /** What one pod of the set takes where it runs on this flavor. */
    long needOf(Resource resource, int flavor, int set) {
        return switch (resource) {
            case GPUS -> milliOn(flavor, set);
            case WHOLE_NODES -> layout.isWholeNode(flavor, milliOn(flavor, set)) ? 1 : 0;
            default -> resource.of(shapes[set]);
        };
    }

    /** Milli-GPU that one pod of the set takes where it runs on this flavor. */
    long milliOn(int flavor, int set) {
        return layout.milliOn(flavor, shapes[set]);
    }

    /** What the smallest start takes of one flavor under this choice. */
    public long leastOf(Resource resource, int flavor, int[] choice) {
        return needOf(resource, flavor, choice, min);
    }

    /** Whether the room is enough for the smallest start under this choice. */
    public boolean isWithin(Room room, int[] choice) {
        return room.holds(this, choice, min);
    }
}
