package dev.tutti.kubernetes.sighting;

import dev.tutti.model.Limits;
import dev.tutti.model.fleet.NodeSighting.Device;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;

/**
 * The GPUs of one node of the classic device plugin: anonymous slots, because there the kubelet picks the device.
 * Capacity says how many slots there are, allocatable how many are healthy. A node whose plugin offers shares or slices
 * under the name of whole GPUs keeps its slots but offers none of them: two pods would share a device unawares.
 *
 * @param flavor name of the flavor
 * @param model the product as the node tells it; empty for none
 * @param memoryMib memory of one GPU; 0 when unknown
 * @param devices the slots, all in one island
 */
record NodeGpus(String flavor, String model, int memoryMib, List<Device> devices) {

    private static final int MOST_MEMORY_MIB = 16_777_216;
    private static final int MODEL = 128;
    private static final Set<String> OTHER_VENDORS = Set.of("amd.com/gpu", "gpu.intel.com/i915", "gpu.intel.com/xe");

    static NodeGpus of(
            Map<String, Quantity> capacity,
            Map<String, Quantity> allocatable,
            Map<String, String> labels,
            Warnings warnings) {
        OTHER_VENDORS.stream()
                .sorted()
                .filter(allocatable::containsKey)
                .forEach(name -> warnings.add("offers " + name + ", which is not used"));
        int slots = count(capacity.containsKey(Keys.GPU) ? capacity : allocatable, warnings);
        if (slots == 0 && labels.containsKey(Keys.GPU_PRODUCT)) {
            // A device plugin that restarts takes all its GPUs away for a while; the node stays one of its flavor.
            warnings.add("offers no " + Keys.GPU + ", but has label " + Keys.GPU_PRODUCT);
        } else if (slots == 0) {
            return new NodeGpus(FlavorNames.CPU, "", 0, List.of());
        }
        int offered = Math.min(slots, count(allocatable, warnings));
        warnOfCount(labels, slots, warnings);
        boolean whole = areWhole(labels, warnings);
        String model = model(labels, warnings);
        return new NodeGpus(
                FlavorNames.of(model), model, memoryMib(labels, warnings), devices(slots, whole ? offered : 0));
    }

    private static int count(Map<String, Quantity> resources, Warnings warnings) {
        if (!resources.containsKey(Keys.GPU)) {
            return 0;
        }
        long told = NodeMapper.number(resources, Keys.GPU, Quantities.ONE, Integer.MAX_VALUE, warnings);
        if (told > Limits.GPUS_PER_POD) {
            warnings.add("offers " + told + " GPUs; the first " + Limits.GPUS_PER_POD + " are used");
        }
        return (int) Math.min(told, Limits.GPUS_PER_POD);
    }

    private static List<Device> devices(int slots, int healthy) {
        List<Device> devices = new ArrayList<>();
        for (int index = 0; index < slots; index++) {
            devices.add(new Device(index, null, 0, index < healthy));
        }
        return devices;
    }

    private static boolean areWhole(Map<String, String> labels, Warnings warnings) {
        String sharing = labels.getOrDefault(Keys.GPU_SHARING, "none");
        boolean replicated = wholeNumber(labels.getOrDefault(Keys.GPU_REPLICAS, "1"), Integer.MAX_VALUE)
                        .orElse(1)
                > 1;
        boolean shared = replicated || !(sharing.isEmpty() || sharing.equals("none"));
        boolean sliced = "single".equals(labels.get(Keys.MIG_STRATEGY))
                && labels.getOrDefault(Keys.GPU_PRODUCT, "").contains("-MIG-");
        if (shared || sliced) {
            warnings.add("calls " + (shared ? "shares" : "slices") + " of GPUs " + Keys.GPU + "; none is offered");
        }
        return !shared && !sliced;
    }

    private static String model(Map<String, String> labels, Warnings warnings) {
        String model = Texts.bounded(labels.get(Keys.GPU_PRODUCT), MODEL);
        if (FlavorNames.of(model).equals(FlavorNames.UNKNOWN)) {
            warnings.add("label " + Keys.GPU_PRODUCT + (model.isEmpty() ? " is missing" : " names no model"));
        }
        return model;
    }

    private static int memoryMib(Map<String, String> labels, Warnings warnings) {
        String told = labels.get(Keys.GPU_MEMORY);
        if (told == null) {
            warnings.add("label " + Keys.GPU_MEMORY + " is missing");
            return 0;
        }
        OptionalLong mib = wholeNumber(told, MOST_MEMORY_MIB);
        if (mib.isEmpty() || mib.getAsLong() == 0) {
            warnings.add("label " + Keys.GPU_MEMORY + " is \"" + told + "\", no plausible number of MiB");
        }
        return (int) mib.orElse(0);
    }

    private static void warnOfCount(Map<String, String> labels, int slots, Warnings warnings) {
        String told = labels.get(Keys.GPU_COUNT);
        if (told != null && wholeNumber(told, Integer.MAX_VALUE).orElse(-1) != slots) {
            warnings.add("label " + Keys.GPU_COUNT + " is \"" + told + "\", but it has " + slots);
        }
    }

    private static OptionalLong wholeNumber(String text, long max) {
        boolean digits = text.matches("\\d{1,18}");
        return digits ? Quantities.floor(text, Quantities.ONE, max) : OptionalLong.empty();
    }
}
