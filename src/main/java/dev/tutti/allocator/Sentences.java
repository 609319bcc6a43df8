package dev.tutti.allocator;

import dev.tutti.model.Limits;
import dev.tutti.model.fleet.TopologyLevels;
import dev.tutti.model.job.GpuRequest;
import dev.tutti.model.job.PodSet;
import dev.tutti.model.job.SetAffinity;
import dev.tutti.model.job.TopologySegment;
import dev.tutti.model.job.TopologyWish;
import dev.tutti.model.life.Reason;
import dev.tutti.model.life.ReasonCode;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The plain sentence of each reason. Names nothing that the job's owner did not name. */
final class Sentences {

    private static final String TOO_LARGE =
            "It is larger than all that one flavor of this fleet could ever hold, and all pods of a set run on one flavor";

    private static final String NEVER_SO_NEAR =
            "It would fit into this fleet if it were empty, but never as near together as its topology requires";

    static final String TOO_LITTLE_FREE = "Less is free than it needs";
    static final String FRAGMENTED = "Enough is free, but no set of nodes has it in the pieces this job needs";
    private static final String TOPOLOGY = "It fits, but not within one domain of the topology level it requires";

    private static final String ASK =
            "; a job that may cross it says so with topology.required: " + TopologyLevels.CLUSTER_LEVEL;

    private static final long MICROS_PER_SECOND = 1_000_000;

    private Sentences() {}

    static Reason unknownLevel(TopologyWish wish, List<PodSet> podSets, List<String> levels) {
        String unknown = Stream.concat(levelsOf(wish), podSets.stream().flatMap(Sentences::levelsOf))
                .filter(level -> !levels.contains(level))
                .filter(level ->
                        !level.equals(TopologyLevels.CLUSTER_LEVEL) && !level.equals(TopologyLevels.NODE_LEVEL))
                .distinct()
                .collect(Collectors.joining(", "));
        return plain(
                ReasonCode.MISCONFIGURED, "Its topology wish names a level that is not configured: " + unknown + ".");
    }

    private static Stream<String> levelsOf(PodSet set) {
        Stream<String> ofSegment = Stream.ofNullable(set.segment()).map(TopologySegment::level);
        Stream<String> ofOthers = set.affinity().stream().map(SetAffinity::level);
        return Stream.concat(levelsOf(set.topology()), Stream.concat(ofSegment, ofOthers));
    }

    private static Stream<String> levelsOf(TopologyWish wish) {
        return Stream.of(wish.required(), wish.preferred()).filter(Objects::nonNull);
    }

    /** It fits, but not as near as it must be. */
    static String tooFarApart(@Nullable String boundary) {
        return boundary == null ? TOPOLOGY : "It fits, but not within one " + boundary + ASK;
    }

    /**
     * It does not fit into an empty fleet.
     *
     * @param fitsAnywhere whether it would without its topology wishes
     */
    static String tooLarge(boolean fitsAnywhere, @Nullable String boundary) {
        if (!fitsAnywhere) {
            return TOO_LARGE;
        }
        return boundary == null
                ? NEVER_SO_NEAR
                : "It is larger than all that one " + boundary + " could ever hold" + ASK;
    }

    static Reason affinity() {
        return plain(
                ReasonCode.TOPOLOGY, "It fits, but not with its pod sets together and apart as their affinity asks.");
    }

    static Reason neverAffinity() {
        return plain(
                ReasonCode.EXCEEDS_LIMIT,
                "No place of this fleet could ever hold its pod sets together and apart as their affinity asks.");
    }

    static Reason unknownQueue() {
        return plain(ReasonCode.MISCONFIGURED, "Its queue is not known.");
    }

    static Reason noMatchingFlavor(List<PodSet> podSets) {
        return plain(
                ReasonCode.NO_MATCHING_FLAVOR,
                "No node is of a flavor its pod sets may run on (" + flavors(podSets) + ").");
    }

    /** There are nodes of its flavors, but none that its pod sets may use. */
    static Reason noEligibleNode(List<PodSet> podSets) {
        return plain(
                ReasonCode.NO_MATCHING_FLAVOR,
                "Its node selectors, or taints it does not tolerate, exclude all nodes of the flavors its pod sets may"
                        + " run on (" + flavors(podSets) + ").");
    }

    private static String flavors(List<PodSet> podSets) {
        return String.join(
                "; ",
                podSets.stream()
                        .map(set -> set.name() + ": "
                                + (set.flavors().isEmpty() ? "any" : String.join(", ", set.flavors()))
                                + (set.gpus() instanceof GpuRequest.Mig mig
                                        ? " with GPUs that can be cut into MIG " + mig.profile()
                                        : ""))
                        .toList());
    }

    static Reason queueHeld() {
        return plain(ReasonCode.QUEUE_HELD, "An operator holds its queue or one above it; nothing starts there.");
    }

    static Reason backingOff(long micros) {
        long seconds = Math.max(1, (micros + MICROS_PER_SECOND - 1) / MICROS_PER_SECOND);
        return plain(
                ReasonCode.BACKING_OFF, "It is not tried again for " + seconds + " s after its last start failed.");
    }

    static String quota(ReasonCode code, long wanted, long available) {
        String sentence = code == ReasonCode.EXCEEDS_LIMIT
                ? "It is larger than the whole quota of its queue"
                : "Its queue, or one above it, has less quota left than it needs";
        return amounts(sentence, "gpuMilli", wanted, available);
    }

    static String podTooLarge(String podSet, String resource, long wanted, long available) {
        return amounts("One pod of " + podSet + " is larger than every node it may use", resource, wanted, available);
    }

    static String amounts(String sentence, String resource, long wanted, long available) {
        return sentence + ": " + amount(resource, wanted) + " needed, " + amount(resource, available) + " there.";
    }

    private static String amount(String resource, long amount) {
        return switch (resource) {
            case "gpuMilli" -> thousandths(amount) + " GPUs";
            case "cpuMilli" -> thousandths(amount) + " CPUs";
            case "memoryMib" -> amount + " MiB of memory";
            case "rdma" -> amount + " RDMA NICs";
            default -> amount + " pods";
        };
    }

    private static String thousandths(long milli) {
        long rest = milli % Limits.DEVICE_MILLI;
        String whole = Long.toString(milli / Limits.DEVICE_MILLI);
        return rest == 0 ? whole : whole + "." + String.format("%03d", rest).replaceAll("0+$", "");
    }

    private static Reason plain(ReasonCode code, String detail) {
        return new Reason(code, null, 0, 0, detail);
    }
}
