package dev.tutti.testkit.memory;

import dev.tutti.allocator.Plan;
import dev.tutti.model.Limits;
import dev.tutti.model.queue.Quota;
import dev.tutti.model.queue.QuotaKey;
import dev.tutti.model.queue.QuotaResource;
import dev.tutti.model.queue.Use;
import dev.tutti.testkit.QuotaOracle;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The constraints of the schema: no device and no NIC twice, no node overfull, no quota exceeded. */
final class Capacity {

    private final MemoryStore store;

    Capacity(MemoryStore store) {
        this.store = store;
    }

    /** Whether a node or a device of the placement is no longer what it was when the plan was made. */
    boolean hasMovedOn(Plan.Placement placement) {
        return placement.members().stream().anyMatch(pod -> {
            Rows.Node node = store.nodes.get(pod.node());
            return node == null
                    || !node.isOpen()
                    || pod.devices().stream()
                            .map(store.devices::get)
                            .anyMatch(device ->
                                    device == null || !device.healthy || pod.mig() != null && device.migLayout == null)
                    || pod.nics().stream().map(store.nics::get).anyMatch(row -> row == null || row.node != node);
        });
    }

    /** What the database would object to in this placement; null when nothing. */
    @Nullable
    String objection(Rows.Job job, Plan.Placement placement) {
        Map<Rows.Device, Integer> milli = new HashMap<>();
        Map<Rows.Node, long[]> nodes = new HashMap<>();
        Map<QuotaKey, Long> amounts = new TreeMap<>();
        Map<Rows.Nics, Integer> nics = new HashMap<>();
        for (Plan.PodPlacement pod : placement.members()) {
            Rows.Node node = store.nodes.get(pod.node());
            if (node == null) {
                return "no node " + pod.node();
            }
            long[] sums = nodes.computeIfAbsent(node, fresh -> new long[3]);
            sums[0] += pod.cpuMilli();
            sums[1] += pod.memoryMib();
            sums[2]++;
            Arrays.stream(QuotaResource.values())
                    .forEach(kind -> amounts.merge(new QuotaKey(pod.flavor(), kind), of(pod, kind), Long::sum));
            pod.nics().forEach(id -> nics.merge(store.nics.get(id), 1, Integer::sum));
            for (long id : pod.devices()) {
                Rows.Device device = store.devices.get(id);
                if (device == null || device.node != node) {
                    return "no device " + id + " on node " + pod.node();
                }
                milli.merge(device, pod.milliPerDevice(), Integer::sum);
            }
        }
        return firstOf(
                devices(milli),
                units(placement),
                nodes(nodes),
                quota(job, amounts),
                runs(job, placement),
                gpus(job, placement),
                wholeNodes(job, placement),
                nics(nics));
    }

    private static @Nullable String devices(Map<Rows.Device, Integer> milli) {
        return milli.entrySet().stream()
                .filter(entry -> entry.getKey().heldMilli + entry.getValue() > Limits.DEVICE_MILLI)
                .map(entry -> "device_not_given_twice " + entry.getKey().id)
                .findFirst()
                .orElse(null);
    }

    /** A unit twice, or a device in two modes. */
    private @Nullable String units(Plan.Placement placement) {
        Map<Rows.Device, Integer> units = new HashMap<>();
        Map<Rows.Device, Integer> others = new HashMap<>();
        for (Plan.PodPlacement pod : placement.members()) {
            for (long id : pod.devices()) {
                Rows.Device device = store.devices.get(id);
                int bits = pod.mig() == null ? 0 : pod.mig().bits();
                int held = units.getOrDefault(device, device.heldUnits);
                if ((held & bits) != 0) {
                    return "unit_not_given_twice " + device.id;
                }
                units.put(device, held | bits);
                others.merge(device, bits == 0 ? 1 : 0, Integer::sum);
            }
        }
        return units.entrySet().stream()
                .filter(entry -> entry.getValue() != 0)
                .map(Map.Entry::getKey)
                .filter(device -> others.get(device) > 0 || device.heldUnits == 0 && device.heldMilli > 0)
                .map(device -> "device_in_one_mode " + device.id)
                .findFirst()
                .orElse(null);
    }

    private static @Nullable String nics(Map<Rows.Nics, Integer> more) {
        return more.entrySet().stream()
                .filter(entry -> entry.getKey().held + entry.getValue() > entry.getKey().count)
                .map(entry -> "nic_not_given_twice " + entry.getKey().id)
                .findFirst()
                .orElse(null);
    }

    private static @Nullable String nodes(Map<Rows.Node, long[]> sums) {
        return sums.entrySet().stream()
                .filter(entry -> isOverfull(entry.getKey(), entry.getValue()))
                .map(entry -> "node_not_overfull " + entry.getKey().name)
                .findFirst()
                .orElse(null);
    }

    private static boolean isOverfull(Rows.Node node, long[] more) {
        return (more[0] > 0 && node.heldCpuMilli + more[0] > node.cpuMilli)
                || (more[1] > 0 && node.heldMemoryMib + more[1] > node.memoryMib)
                || node.heldPods + more[2] > node.podSlots;
    }

    private @Nullable String quota(Rows.Job job, Map<QuotaKey, Long> amounts) {
        for (Map.Entry<QuotaKey, Long> more : amounts.entrySet()) {
            QuotaOracle before = oracle(more.getKey());
            Map<String, Use> use = new HashMap<>(before.use());
            use.merge(
                    job.queue.path,
                    Use.NONE.plus(job.spec.lane(), more.getValue()),
                    (held, plus) -> held.plus(job.spec.lane(), more.getValue()));
            List<String> broken = new QuotaOracle(before.paths(), before.quotas(), use).brokenSince(before);
            if (!broken.isEmpty()) {
                return "queue_not_over_quota " + broken;
            }
        }
        return null;
    }

    /** Jobs that hold something are those that live. */
    private @Nullable String runs(Rows.Job job, Plan.Placement placement) {
        for (Rows.Queue queue = placement.grows() ? null : job.queue; queue != null; queue = queue.parent) {
            Rows.Queue at = queue;
            List<Rows.Job> running = store.live.values().stream()
                    .filter(one -> one.state.isLive() && one.queue.isIn(at))
                    .toList();
            Integer limit = at.rules.limits().maxRunningJobs();
            Integer ofUser = at.rules.limits().userMaxRunningJobs();
            if (limit != null && running.size() >= limit) {
                return "queue_runs_not_over_limit " + at.path;
            }
            if (ofUser != null
                    && running.stream().filter(one -> one.user.equals(job.user)).count() >= ofUser) {
                return "queue_user_runs_not_over_limit " + at.path;
            }
        }
        return null;
    }

    private @Nullable String gpus(Rows.Job job, Plan.Placement placement) {
        long more = placement.members().stream()
                .mapToLong(pod -> of(pod, QuotaResource.GPU_MILLI))
                .sum();
        for (Rows.Queue queue = more > 0 ? job.queue : null; queue != null; queue = queue.parent) {
            Rows.Queue at = queue;
            Long limit = at.rules.limits().userMaxGpuMilli();
            long held = store.live.values().stream()
                    .filter(one -> one.user.equals(job.user) && one.queue.isIn(at))
                    .flatMap(one -> one.members.stream())
                    .filter(member -> !member.released)
                    .mapToLong(Rows.Allocation::gpuMilli)
                    .sum();
            if (limit != null && held + more > limit) {
                return "queue_user_gpus_not_over_limit " + at.path;
            }
        }
        return null;
    }

    private @Nullable String wholeNodes(Rows.Job job, Plan.Placement placement) {
        Map<String, Long> more = placement.members().stream()
                .filter(pod -> isWhole(pod.flavor(), of(pod, QuotaResource.GPU_MILLI)))
                .collect(Collectors.groupingBy(Plan.PodPlacement::flavor, Collectors.counting()));
        for (Rows.Queue queue = more.isEmpty() ? null : job.queue; queue != null; queue = queue.parent) {
            for (Map.Entry<String, Integer> limit :
                    queue.rules.limits().maxWholeNodes().entrySet()) {
                Long wanted = more.get(limit.getKey());
                if (wanted != null && heldNodes(queue, limit.getKey()) + wanted > limit.getValue()) {
                    return "queue_whole_nodes_not_over_limit " + queue.path;
                }
            }
        }
        return null;
    }

    private long heldNodes(Rows.Queue queue, String flavor) {
        return store.live.values().stream()
                .filter(one -> one.queue.isIn(queue))
                .flatMap(one -> one.members.stream())
                .filter(member ->
                        !member.released && member.flavor.equals(flavor) && isWhole(flavor, member.gpuMilli()))
                .count();
    }

    private boolean isWhole(String flavor, long gpuMilli) {
        long largest = store.nodes.values().stream()
                .filter(node -> node.flavor.equals(flavor))
                .mapToLong(node -> node.devices.size() * (long) Limits.DEVICE_MILLI)
                .max()
                .orElse(0);
        return largest > 0 && gpuMilli >= largest;
    }

    private QuotaOracle oracle(QuotaKey key) {
        Map<String, Quota> quotas = new HashMap<>();
        Map<String, Use> use = new HashMap<>();
        for (Rows.Queue queue : store.queues.values()) {
            if (queue.quotas.containsKey(key)) {
                quotas.put(queue.path, queue.quotas.get(key));
            }
            use.put(queue.path, queue.used.getOrDefault(key, Use.NONE));
        }
        return new QuotaOracle(List.copyOf(use.keySet()), quotas, use);
    }

    private static @Nullable String firstOf(@Nullable String... objections) {
        for (String objection : objections) {
            if (objection != null) {
                return objection;
            }
        }
        return null;
    }

    void hold(Rows.Allocation member) {
        add(member, 1);
    }

    void free(Rows.Allocation member) {
        add(member, -1);
    }

    private void add(Rows.Allocation member, int sign) {
        Rows.Node node = member.node;
        node.heldCpuMilli += sign * member.cpuMilli;
        node.heldMemoryMib += sign * member.memoryMib;
        node.heldPods += sign;
        for (Rows.Device device : member.devices) {
            device.heldMilli += sign * member.deviceMilli;
            device.heldUnits ^= member.mig == null ? 0 : member.mig.bits();
            if (device.heldMilli < 0 || device.heldMilli > Limits.DEVICE_MILLI) {
                throw new IllegalStateException("device " + device.id + " holds " + device.heldMilli);
            }
        }
        member.nics.forEach(row -> row.held += sign);
        store.stamp(node);
        for (Rows.Queue queue = member.job.queue; queue != null; queue = queue.parent) {
            count(queue, member, QuotaResource.GPU_MILLI, sign * member.gpuMilli());
            count(queue, member, QuotaResource.CPU_MILLI, sign * member.cpuMilli);
            count(queue, member, QuotaResource.MEMORY_MIB, sign * member.memoryMib);
            store.stamp(queue);
        }
    }

    private static void count(Rows.Queue queue, Rows.Allocation member, QuotaResource kind, long amount) {
        if (amount != 0) {
            queue.used.merge(
                    new QuotaKey(member.flavor, kind),
                    Use.NONE.plus(member.lane, amount),
                    (held, plus) -> held.plus(member.lane, amount));
        }
    }

    private static long of(Plan.PodPlacement pod, QuotaResource kind) {
        return switch (kind) {
            case GPU_MILLI -> (long) pod.devices().size() * pod.milliPerDevice();
            case CPU_MILLI -> pod.cpuMilli();
            case MEMORY_MIB -> pod.memoryMib();
        };
    }
}
