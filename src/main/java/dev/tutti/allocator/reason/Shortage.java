package dev.tutti.allocator.reason;

import dev.tutti.allocator.board.NodeSet;
import dev.tutti.allocator.board.PodShape;
import dev.tutti.allocator.fit.Measure;
import dev.tutti.allocator.fit.Request;
import dev.tutti.allocator.fit.Resource;
import dev.tutti.model.life.Reason;
import dev.tutti.model.life.ReasonCode;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Finds which resource is short, and by how much. Amounts are of the smallest start: {@code minCount} of each set. */
public final class Shortage {

    /** All that is free in sums, in the order in which the first that is short is named. */
    private static final List<Resource> SUMMED =
            List.of(Resource.GPUS, Resource.CPU, Resource.MEMORY, Resource.NICS, Resource.PODS);

    private Shortage() {}

    /**
     * The whole gang against the part of it that one domain holds.
     *
     * @param held pods of each set that fit
     * @param bottleneck what keeps the others from fitting
     */
    public static Reason ofGang(
            Request request, int[] held, Resource bottleneck, ReasonCode code, String sentence, String advice) {
        Resource resource = shown(request, held, inPositions(request, bottleneck));
        long wanted = sum(request, resource, least(request));
        long available = sum(request, resource, held);
        String detail =
                Sentences.room(sentence, Amounts.needed(request, resource, wanted), Amounts.of(resource, available))
                        + advice;
        return new Reason(code, resource.field, wanted, available, detail);
    }

    /** Of GPUs that only MIG instances take, positions run out sooner than what is left in sum. */
    public static Resource inPositions(Request request, Resource bottleneck) {
        boolean isCut = IntStream.range(0, request.sets())
                .mapToObj(request::shape)
                .allMatch(shape -> shape.devices() == 0 || shape.isMig());
        return bottleneck == Resource.GPUS && isCut ? Resource.INSTANCES : bottleneck;
    }

    /** All pods that need it may fit, beside too few of those that do not: then what those lack. */
    private static Resource shown(Request request, int[] held, Resource resource) {
        if (sum(request, resource, least(request)) > sum(request, resource, held)) {
            return resource;
        }
        return SUMMED.stream()
                .filter(other -> sum(request, other, least(request)) > sum(request, other, held))
                .findFirst()
                .orElse(resource);
    }

    private static int[] least(Request request) {
        return IntStream.range(0, request.sets()).map(request::min).toArray();
    }

    /**
     * The first resource of which less is free than wanted: for one set among its flavors, or for all sets together;
     * null when enough of everything is free.
     *
     * @param request with no choices of flavors but those that quota allows
     */
    public static @Nullable Reason ofFree(Request request, Measure measure) {
        for (Resource resource : SUMMED) {
            long wantedInAll = 0;
            for (int s = 0; s < request.sets(); s++) {
                long wanted = resource.of(request.shape(s)) * request.min(s);
                long available = free(request, measure, resource, s, s + 1);
                if (wanted > available) {
                    return waiting(request, resource, wanted, available);
                }
                wantedInAll += wanted;
            }
            long available = free(request, measure, resource, 0, request.sets());
            if (wantedInAll > available) {
                return waiting(request, resource, wantedInAll, available);
            }
        }
        return null;
    }

    /**
     * What is free of one resource in all flavors of the gang, against what it needs.
     *
     * @param sentence what of it is said
     */
    public static Reason fragmented(Request request, Measure measure, Resource resource, String sentence) {
        long wanted = sum(request, resource, least(request));
        long available = free(request, measure, resource, 0, request.sets());
        String detail =
                Sentences.there(sentence, Amounts.needed(request, resource, wanted), Amounts.of(resource, available));
        return new Reason(ReasonCode.FRAGMENTED, resource.field, wanted, available, detail);
    }

    /** What the smallest start takes of a resource. */
    public static long leastOf(Request request, Resource resource) {
        return sum(request, resource, least(request));
    }

    /** What is free of a resource on the nodes that some set may use. */
    public static long freeFor(Request request, Measure measure, Resource resource) {
        return free(request, measure, resource, 0, request.sets());
    }

    private static Reason waiting(Request request, Resource resource, long wanted, long available) {
        String detail = Sentences.there(
                Sentences.TOO_LITTLE_FREE, Amounts.needed(request, resource, wanted), Amounts.of(resource, available));
        return new Reason(ReasonCode.WAITING_FOR_CAPACITY, resource.field, wanted, available, detail);
    }

    private static int[] flavorsOf(int[][] choices, int fromSet, int toSet) {
        return Arrays.stream(choices)
                .flatMapToInt(choice -> Arrays.stream(choice, fromSet, toSet))
                .sorted()
                .distinct()
                .toArray();
    }

    /** What is free on the nodes that some of these sets may use, each of them counted once. */
    private static long free(Request request, Measure measure, Resource resource, int fromSet, int toSet) {
        int[][] choices = request.allChoices();
        long free = 0;
        for (int flavor : flavorsOf(choices, fromSet, toSet)) {
            NodeSet nodes = null;
            for (int s = fromSet; s < toSet; s++) {
                if (isChoice(choices, s, flavor)) {
                    NodeSet own = request.shape(s).nodes();
                    nodes = nodes == null ? own : nodes.or(own);
                }
            }
            if (nodes != null) {
                free += resource == Resource.NICS
                        ? freeNics(request, measure, flavor, nodes, fromSet, toSet)
                        : measure.free(resource, flavor, nodes);
            }
        }
        return free;
    }

    /** NICs of any resource that some of these sets may use. */
    private static long freeNics(Request request, Measure measure, int flavor, NodeSet nodes, int fromSet, int toSet) {
        int[] resources = IntStream.range(fromSet, toSet)
                .filter(s -> request.shape(s).nics() > 0)
                .map(s -> request.shape(s).nicResource())
                .distinct()
                .toArray();
        if (Arrays.stream(resources).anyMatch(resource -> resource == PodShape.ANY_RESOURCE)) {
            return measure.free(Resource.NICS, flavor, nodes);
        }
        return Arrays.stream(resources)
                .mapToLong(resource -> measure.freeNics(flavor, nodes, resource))
                .sum();
    }

    private static boolean isChoice(int[][] choices, int set, int flavor) {
        for (int[] choice : choices) {
            if (choice[set] == flavor) {
                return true;
            }
        }
        return false;
    }

    private static long sum(Request request, Resource resource, int[] pods) {
        long sum = 0;
        for (int s = 0; s < pods.length; s++) {
            sum += resource.of(request.shape(s)) * pods[s];
        }
        return sum;
    }
}
