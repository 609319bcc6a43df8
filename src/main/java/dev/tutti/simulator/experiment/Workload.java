package dev.tutti.simulator.experiment;

import dev.tutti.allocator.board.PodShape;
import dev.tutti.allocator.policy.Mix;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Pods of a trace, and arrivals drawn from them.
 *
 * @param kinds what pods ask for, each kind once, with how many pods of the trace are of it
 * @param pods kind of each pod, in the trace's order
 */
public record Workload(List<Mix.Ask> kinds, int[] pods) {

    /** Sorts pods into kinds. */
    public static Workload of(List<Pod> pods) {
        Map<Pod, Integer> numbers = new LinkedHashMap<>();
        int[] kindOf = new int[pods.size()];
        for (int i = 0; i < kindOf.length; i++) {
            kindOf[i] = numbers.computeIfAbsent(pods.get(i), fresh -> numbers.size());
        }
        int[] count = new int[numbers.size()];
        Arrays.stream(kindOf).forEach(kind -> count[kind]++);
        List<Mix.Ask> kinds = new ArrayList<>();
        numbers.forEach((pod, kind) -> kinds.add(new Mix.Ask(pod.shape, pod.flavors, count[kind])));
        return new Workload(List.copyOf(kinds), kindOf);
    }

    /**
     * One pod.
     *
     * @param flavors flavors it may run on; empty for any
     */
    public record Pod(PodShape shape, List<String> flavors) {}

    /** What the whole trace asks for. */
    public Mix mix() {
        return new Mix(kinds);
    }

    /**
     * All pods of the trace in random order, then pods drawn from it with replacement while less than {@code milli} was
     * asked for; where the trace alone asks for more, random pods of it are left out. The last draw is made as the
     * published experiment makes it: it counts one GPU of the pod, not all of them.
     *
     * @return the kind of each arrival
     */
    public int[] arrivals(long milli, Random random) {
        List<Integer> arrivals = new ArrayList<>(2 * pods.length);
        Arrays.stream(pods).forEach(arrivals::add);
        shuffle(arrivals, random);
        long asked = 0;
        for (int kind : arrivals) {
            asked += milliOf(kind);
        }
        while (asked > milli) {
            asked -= milliOf(arrivals.remove(random.nextInt(arrivals.size())));
        }
        if (arrivals.size() == pods.length) {
            int drawn = pods[random.nextInt(pods.length)];
            while (asked + kinds.get(drawn).shape().milli() <= milli) {
                arrivals.add(drawn);
                asked += milliOf(drawn);
                drawn = pods[random.nextInt(pods.length)];
            }
        }
        return arrivals.stream().mapToInt(Integer::intValue).toArray();
    }

    /** About how many arrivals it takes until {@code milli} was asked for; more than any number where none asks for GPUs. */
    public long arrivalsFor(long milli) {
        long asked = Arrays.stream(pods).mapToLong(this::milliOf).sum();
        return asked == 0 ? Long.MAX_VALUE : Math.max(pods.length, milli / asked * pods.length);
    }

    long milliOf(int kind) {
        return kinds.get(kind).shape().gpuMilli();
    }

    private static void shuffle(List<Integer> list, Random random) {
        for (int i = list.size() - 1; i > 0; i--) {
            int j = random.nextInt(i + 1);
            int held = list.get(i);
            list.set(i, list.get(j));
            list.set(j, held);
        }
    }
}
