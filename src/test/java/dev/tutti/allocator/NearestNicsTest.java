package dev.tutti.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.testkit.scenario.Invariants;
import dev.tutti.testkit.scenario.TestFleet;
import dev.tutti.testkit.scenario.TestJobs;
import dev.tutti.testkit.scenario.TestNode;
import dev.tutti.testkit.scenario.TestQueues;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Which devices and RDMA NICs of its node a pod gets, against every choice there is. */
class NearestNicsTest {

    private static final int CASES = Integer.getInteger("tutti.cases", 10_000);
    private static final long SEED = Long.getLong("tutti.seed", System.nanoTime() & 0xFFFFFF);

    /** One pod on one node: no other choice of devices and NICs has more of them side by side. */
    @Test
    void nothingIsNearer() {
        int placed = 0;
        for (int i = 0; i < CASES; i++) {
            placed += isNearest(SEED * 1_000_000 + i) ? 1 : 0;
        }
        System.out.println("=== nearest NICs: seed " + SEED + ", " + CASES + " cases, " + placed + " placed");
        assertThat(placed).isGreaterThan(CASES / 4);
    }

    private static boolean isNearest(long seed) {
        Random random = new Random(seed);
        int gpus = random.nextInt(7);
        String line = "n1 gpus=" + gpus + " used=" + random.nextInt(gpus + 1) + " islands=" + sizes(random, gpus)
                + " places=" + sizes(random, gpus) + " nics=" + nics(random);
        String ask = "a gpus=" + random.nextInt(5) + " rdma=" + (random.nextInt(4) == 0 ? "ib:" : "")
                + (1 + random.nextInt(3));
        TestNode node = TestNode.of(line);
        TestQueues queues = new TestQueues();
        Snapshot snapshot = TestFleet.snapshot(List.of(node), queues.shares());
        WaitingJob job = TestJobs.of(ask, 0, queues);
        Plan plan = Invariants.check(new GangAllocator(), snapshot, List.of(job));
        int devices = job.podSets().get(0).gpus().devices();
        int wanted = job.podSets().get(0).nics().nics();
        String resource = job.podSets().get(0).nics().resource();
        int best = -1;
        for (int chosen = 0; chosen < 1 << gpus; chosen++) {
            if (Integer.bitCount(chosen) == devices && isFree(node, chosen) && keepsIslands(node, chosen)) {
                for (String name : List.of("rdma/ib", "rdma/hca")) {
                    if (resource.isEmpty() || resource.equals(name)) {
                        best = Math.max(best, best(node, chosen, name, 0, wanted, new HashMap<>()));
                    }
                }
            }
        }
        assertThat(plan.placements().isEmpty())
                .as(seed + ": " + line + " / " + ask)
                .isEqualTo(best < 0);
        if (best < 0) {
            return false;
        }
        Plan.PodPlacement pod = plan.placements().get(0).members().get(0);
        int given =
                pod.devices().stream().mapToInt(id -> 1 << (id.intValue() - 1)).sum();
        Map<String, Integer> at = new HashMap<>();
        pod.nics().forEach(id -> at.merge(node.nics().get(id.intValue() - 1).place(), 1, Integer::sum));
        assertThat(keepsIslands(node, given)).isTrue();
        assertThat(near(node, given, at)).as(seed + ": " + line + " / " + ask).isEqualTo(best);
        return true;
    }

    /** One MIG instance or one share: no GPU that is like the one it gets is nearer. */
    @Test
    void noGpuThatIsLikeItIsNearer() {
        int nearer = 0;
        for (int i = 0; i < CASES; i++) {
            nearer += isNearestOfItsLike(SEED * 1_000_000 + i) ? 1 : 0;
        }
        assertThat(nearer).as("of several alike one was nearer").isGreaterThan(CASES / 20);
    }

    private static boolean isNearestOfItsLike(long seed) {
        Random random = new Random(seed);
        int gpus = 2 + random.nextInt(4);
        String cut = random.nextInt(3) == 0 ? " cut=1g.5gb@6" : "";
        String line =
                "n1 gpus=" + gpus + " mig=a100-40gb" + cut + " places=" + sizes(random, gpus) + " nics=" + nics(random);
        String ask = (random.nextBoolean() ? "a mig=3g.20gb" : "a share=300") + " rdma=" + (1 + random.nextInt(2));
        TestNode node = TestNode.of(line);
        TestQueues queues = new TestQueues();
        Snapshot snapshot = TestFleet.snapshot(List.of(node), queues.shares());
        WaitingJob job = TestJobs.of(ask, 0, queues);
        Plan plan = Invariants.check(new GangAllocator(), snapshot, List.of(job));
        if (plan.placements().isEmpty()) {
            return false;
        }
        Plan.PodPlacement pod = plan.placements().get(0).members().get(0);
        int given = pod.devices().get(0).intValue() - 1;
        Map<String, Integer> at = new HashMap<>();
        pod.nics().forEach(id -> at.merge(node.nics().get(id.intValue() - 1).place(), 1, Integer::sum));
        int best = 0;
        int worst = Integer.MAX_VALUE;
        for (int d = 0; d < gpus; d++) {
            if (node.units().get(d).equals(node.units().get(given))) {
                int wanted = job.podSets().get(0).nics().nics();
                int near = Math.max(
                        best(node, 1 << d, "rdma/ib", 0, wanted, new HashMap<>()),
                        best(node, 1 << d, "rdma/hca", 0, wanted, new HashMap<>()));
                best = Math.max(best, near);
                worst = Math.min(worst, near);
            }
        }
        assertThat(near(node, 1 << given, at))
                .as(seed + ": " + line + " / " + ask)
                .isEqualTo(best);
        return best > worst;
    }

    private static String sizes(Random random, int gpus) {
        List<String> sizes = new ArrayList<>();
        for (int left = gpus; left > 0 && random.nextInt(6) > 0; ) {
            int size = 1 + random.nextInt(Math.min(left, 3));
            sizes.add(Integer.toString(size));
            left -= size;
        }
        return String.join(",", sizes);
    }

    /** In the order in which groups are numbered. */
    private static String nics(Random random) {
        List<String> groups = new ArrayList<>();
        for (String name : List.of("hca", "ib")) {
            for (String place : List.of("", "@0", "@1", "@2")) {
                if (random.nextInt(3) == 0) {
                    groups.add(name + ":" + random.nextInt(3) + place);
                }
            }
        }
        return String.join(",", groups);
    }

    private static boolean isFree(TestNode node, int chosen) {
        for (int d = 0; d < node.used().size(); d++) {
            if ((chosen >> d & 1) == 1 && node.used().get(d) > 0) {
                return false;
            }
        }
        return true;
    }

    /** As islands are taken: the smallest left that suffices, else the largest whole, and so on. */
    private static boolean keepsIslands(TestNode node, int chosen) {
        Map<Integer, Integer> free = new HashMap<>();
        Map<Integer, Integer> taken = new HashMap<>();
        for (int d = 0; d < node.used().size(); d++) {
            free.merge(node.islands().get(d), node.used().get(d) == 0 ? 1 : 0, Integer::sum);
            taken.merge(node.islands().get(d), chosen >> d & 1, Integer::sum);
        }
        return keepsIslands(free, taken, Integer.bitCount(chosen));
    }

    private static boolean keepsIslands(Map<Integer, Integer> free, Map<Integer, Integer> taken, int needed) {
        if (needed == 0) {
            return true;
        }
        int sufficing = free.values().stream()
                .mapToInt(size -> size)
                .filter(size -> size >= needed)
                .min()
                .orElse(0);
        int largest = free.values().stream().mapToInt(size -> size).max().orElse(0);
        int size = sufficing > 0 ? sufficing : largest;
        for (int island : List.copyOf(free.keySet())) {
            int wanted = Math.min(size, needed);
            if (free.get(island) == size && taken.get(island) == wanted) {
                Map<Integer, Integer> left = new HashMap<>(free);
                left.remove(island);
                if (keepsIslands(left, taken, needed - wanted)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Most that any choice of NICs of this name has near; -1 when there are too few. */
    private static int best(TestNode node, int chosen, String name, int group, int wanted, Map<String, Integer> at) {
        if (wanted == 0) {
            return near(node, chosen, at);
        }
        if (group == node.nics().size()) {
            return -1;
        }
        int most = -1;
        boolean counts = node.nics().get(group).resource().equals(name);
        String place = node.nics().get(group).place();
        for (int take = 0;
                take <= (counts ? Math.min(wanted, node.nics().get(group).free()) : 0);
                take++) {
            Map<String, Integer> more = new HashMap<>(at);
            more.merge(place, take, Integer::sum);
            most = Math.max(most, best(node, chosen, name, group + 1, wanted - take, more));
        }
        return most;
    }

    /** NICs beside a device of the pod, and devices beside a NIC of the pod. */
    private static int near(TestNode node, int chosen, Map<String, Integer> nicsAt) {
        Map<String, Integer> devicesAt = new HashMap<>();
        for (int d = 0; d < node.used().size(); d++) {
            devicesAt.merge(node.places().get(d), chosen >> d & 1, Integer::sum);
        }
        int near = 0;
        for (Map.Entry<String, Integer> place : devicesAt.entrySet()) {
            int nics = nicsAt.getOrDefault(place.getKey(), 0);
            boolean both = !place.getKey().isEmpty() && nics > 0 && place.getValue() > 0;
            near += both ? nics + place.getValue() : 0;
        }
        return near;
    }
}
