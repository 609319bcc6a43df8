package dev.tutti.allocator;

import dev.tutti.allocator.board.NodeSet;
import dev.tutti.allocator.board.PodShape;
import dev.tutti.allocator.fit.Measure;
import dev.tutti.allocator.fit.Request;
import dev.tutti.model.life.Reason;
import dev.tutti.model.life.ReasonCode;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Finds which resource is short, and by how much. Amounts are of the smallest start: {@code minCount} of each set. */
final class Shortage {

    private static final String[] RESOURCES = {"gpuMilli", "cpuMilli", "memoryMib", "rdma", "pods"};

    private Shortage() {}

    /** The flavor choice that lacks least quota: what it needs and what there is. */
    static Reason ofQuota(Request request, long[] room, ReasonCode code) {
        long wanted = 0;
        long available = 0;
        long least = Long.MAX_VALUE;
        for (int[] choice : request.allChoices()) {
            for (int flavor : choice) {
                long need = request.leastOf(flavor, choice);
                long lack = need - room[flavor];
                if (lack > 0 && lack < least) {
                    least = lack;
                    wanted = need;
                    available = room[flavor];
                }
            }
        }
        return new Reason(
                code, RESOURCES[Measure.GPU_MILLI], wanted, available, Sentences.quota(code, wanted, available));
    }

    /** One pod of the set is larger than every node that could take it. */
    static Reason ofOnePod(Request request, int set, String name, Measure measure) {
        PodShape shape = request.shape(set);
        long milli = measure.mostMilli(request, set);
        long cpu = measure.mostCpu(request, set);
        long memory = measure.mostMemory(request, set);
        if (milli < shape.gpuMilli()) {
            return tooLargeAPod(name, Measure.GPU_MILLI, shape.gpuMilli(), milli);
        }
        if (cpu < shape.cpuMilli()) {
            return tooLargeAPod(name, Measure.CPU_MILLI, shape.cpuMilli(), cpu);
        }
        if (memory < shape.memoryMib()) {
            return tooLargeAPod(name, Measure.MEMORY_MIB, shape.memoryMib(), memory);
        }
        long nics = measure.mostNics(request, set);
        return nics < shape.nics()
                ? tooLargeAPod(name, Measure.NICS, shape.nics(), nics)
                : tooLargeAPod(name, Measure.PODS, 1, 0);
    }

    private static Reason tooLargeAPod(String name, int resource, long wanted, long available) {
        String detail = Sentences.podTooLarge(name, RESOURCES[resource], wanted, available);
        return new Reason(ReasonCode.EXCEEDS_LIMIT, RESOURCES[resource], wanted, available, detail);
    }

    /** The whole gang against the part of it that one domain holds. */
    static Reason ofGang(Request request, int[] held, ReasonCode code, String sentence) {
        int resource = mainResource(request);
        long wanted = sum(
                request,
                resource,
                IntStream.range(0, held.length).map(request::min).toArray());
        long available = sum(request, resource, held);
        String detail = Sentences.amounts(sentence, RESOURCES[resource], wanted, available);
        return new Reason(code, RESOURCES[resource], wanted, available, detail);
    }

    /**
     * The first resource of which less is free than wanted: for one set among its flavors, or for all sets together;
     * null when enough of everything is free.
     *
     * @param room flavors without room for the gang by quota do not count
     */
    static @Nullable Reason ofFree(Request request, long[] room, Measure measure) {
        int[][] choices = Arrays.stream(request.allChoices())
                .filter(choice -> request.isWithin(room, choice))
                .toArray(int[][]::new);
        for (int resource = 0; resource < RESOURCES.length; resource++) {
            long wantedInAll = 0;
            for (int s = 0; s < request.sets(); s++) {
                long wanted = of(request.shape(s), resource) * request.min(s);
                long available = free(request, measure, resource, choices, s, s + 1);
                if (wanted > available) {
                    return waiting(resource, wanted, available);
                }
                wantedInAll += wanted;
            }
            long available = free(request, measure, resource, choices, 0, request.sets());
            if (wantedInAll > available) {
                return waiting(resource, wantedInAll, available);
            }
        }
        return null;
    }

    /**
     * What is free of one resource in all flavors of the gang, against what it needs: RDMA NICs when it would fit without
     * any, else its main one.
     */
    static Reason fragmented(Request request, long[] room, Measure measure, boolean byNics) {
        int[][] choices = Arrays.stream(request.allChoices())
                .filter(choice -> request.isWithin(room, choice))
                .toArray(int[][]::new);
        int resource = byNics ? Measure.NICS : mainResource(request);
        long wanted = sum(
                request,
                resource,
                IntStream.range(0, request.sets()).map(request::min).toArray());
        long available = free(request, measure, resource, choices, 0, request.sets());
        String detail = Sentences.amounts(Sentences.FRAGMENTED, RESOURCES[resource], wanted, available);
        return new Reason(ReasonCode.FRAGMENTED, RESOURCES[resource], wanted, available, detail);
    }

    private static Reason waiting(int resource, long wanted, long available) {
        String detail = Sentences.amounts(Sentences.TOO_LITTLE_FREE, RESOURCES[resource], wanted, available);
        return new Reason(ReasonCode.WAITING_FOR_CAPACITY, RESOURCES[resource], wanted, available, detail);
    }

    private static int[] flavorsOf(int[][] choices, int fromSet, int toSet) {
        return Arrays.stream(choices)
                .flatMapToInt(choice -> Arrays.stream(choice, fromSet, toSet))
                .sorted()
                .distinct()
                .toArray();
    }

    /** What is free on the nodes that some of these sets may use, each of them counted once. */
    private static long free(Request request, Measure measure, int resource, int[][] choices, int fromSet, int toSet) {
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
                free += resource == Measure.NICS
                        ? freeNics(request, measure, flavor, nodes, fromSet, toSet)
                        : measure.free(flavor, nodes)[resource];
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
            return measure.free(flavor, nodes)[Measure.NICS];
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

    /** GPUs if it wants any, else CPU, else memory, else NICs, else pods. */
    private static int mainResource(Request request) {
        for (int resource = 0; resource < Measure.PODS; resource++) {
            for (int s = 0; s < request.sets(); s++) {
                if (of(request.shape(s), resource) > 0) {
                    return resource;
                }
            }
        }
        return Measure.PODS;
    }

    private static long sum(Request request, int resource, int[] pods) {
        long sum = 0;
        for (int s = 0; s < pods.length; s++) {
            sum += of(request.shape(s), resource) * pods[s];
        }
        return sum;
    }

    private static long of(PodShape shape, int resource) {
        return switch (resource) {
            case Measure.GPU_MILLI -> shape.gpuMilli();
            case Measure.CPU_MILLI -> shape.cpuMilli();
            case Measure.MEMORY_MIB -> shape.memoryMib();
            case Measure.NICS -> shape.nics();
            default -> 1;
        };
    }
}
