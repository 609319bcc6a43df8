package dev.tutti.web.manifests;

import dev.tutti.model.job.NicRequest;
import dev.tutti.web.input.Scalar;
import dev.tutti.web.input.Violations;
import dev.tutti.web.manifests.JobManifest.Resources;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a container asks for. Limits and requests of one resource must be equal: Tutti holds what it gives. RDMA NICs are
 * of one resource name, whichever it is.
 */
final class ResourceReader {

    static final String GPU = "nvidia.com/gpu";
    private static final String MIG = "nvidia.com/mig-";
    private static final Set<String> KNOWN = Set.of(GPU, "cpu", "memory");
    private static final Set<String> DIVISIBLE =
            Set.of("limits.cpu", "requests.cpu", "limits.memory", "requests.memory");
    private static final long MILLI = 1_000;
    private static final long MIB = 1 << 20;

    private final Map<String, Scalar> limits;
    private final Map<String, Scalar> requests;
    private final String path;
    private final Violations violations;
    private final @Nullable String rdmaResource;
    private final @Nullable Integer rdma;

    ResourceReader(@Nullable Resources resources, String path, Violations violations) {
        this.limits = resources == null || resources.limits() == null ? Map.of() : resources.limits();
        this.requests = resources == null || resources.requests() == null ? Map.of() : resources.requests();
        this.path = path;
        this.violations = violations;
        this.rdmaResource = rdmaNames().findFirst().orElse(null);
        this.rdma = rdmaResource == null ? null : whole(rdmaResource);
        refuseUnknown(limits, "limits");
        refuseUnknown(requests, "requests");
    }

    @Nullable
    Integer gpus() {
        return whole(GPU);
    }

    /** RDMA NICs; null for none. */
    @Nullable
    Integer rdma() {
        return rdma;
    }

    /** The resource name they must be of; null where none is asked for. */
    @Nullable
    String rdmaResource() {
        return rdma == null || rdma == 0 ? null : rdmaResource;
    }

    private @Nullable Integer whole(String name) {
        Long whole = amount(name, 1, 1);
        if (whole != null && whole > Integer.MAX_VALUE) {
            violations.add(path + ".limits." + name, "is " + whole + ", which is far out of range");
            return null;
        }
        return whole == null ? null : whole.intValue();
    }

    /** Profile of the one MIG instance that the container asks for; null when it asks for none. */
    @Nullable
    String mig() {
        List<String> names = Stream.concat(limits.keySet().stream(), requests.keySet().stream())
                .filter(name -> name.startsWith(MIG))
                .distinct()
                .sorted()
                .toList();
        for (String name : names) {
            Integer instances = whole(name);
            if (instances != null && (instances != 1 || names.size() > 1)) {
                violations.add(
                        path + ".limits." + name, "asks for more or less than the one MIG instance a pod may have");
            }
        }
        return names.isEmpty() ? null : names.get(0).substring(MIG.length());
    }

    @Nullable
    Long cpuMilli() {
        return amount("cpu", MILLI, 1);
    }

    @Nullable
    Long memoryMib() {
        return amount("memory", 1, MIB);
    }

    private @Nullable Long amount(String name, long numerator, long denominator) {
        Long limit = amount(limits.get(name), "limits." + name, numerator, denominator);
        Long request = amount(requests.get(name), "requests." + name, numerator, denominator);
        if (limit != null && request != null && !limit.equals(request)) {
            violations.add(path + ".limits." + name, "differs from the request; Tutti gives what is held, no more");
        }
        return request == null ? limit : request;
    }

    private @Nullable Long amount(@Nullable Scalar quantity, String field, long numerator, long denominator) {
        if (quantity == null) {
            return null;
        }
        Long amount = Quantity.in(quantity.text(), numerator, denominator).orElse(null);
        if (amount == null) {
            violations.add(path + "." + field, "is not a quantity such as 8, 500m or 64Gi");
        } else if (!DIVISIBLE.contains(field)
                && !Quantity.in(quantity.text(), MILLI, 1).equals(Optional.of(amount * MILLI))) {
            violations.add(path + "." + field, notWhole(field));
        }
        return amount;
    }

    private static String notWhole(String field) {
        return "is not a whole number" + (field.endsWith(GPU) ? "; a share is asked for by tutti.dev/gpu-milli" : "");
    }

    private void refuseUnknown(Map<String, Scalar> amounts, String kind) {
        amounts.keySet().stream()
                .filter(name -> !KNOWN.contains(name) && !name.startsWith(MIG) && !name.equals(rdmaResource))
                .sorted()
                .forEach(name -> violations.add(path + "." + kind + "." + name, refusal(name)));
    }

    private String refusal(String name) {
        return NicRequest.isResource(name)
                ? "is a second resource of RDMA NICs beside " + rdmaResource + "; all NICs of a pod are of one"
                : "is a resource Tutti does not give; known are " + GPU + ", " + MIG
                        + "1g.10gb and its like, cpu, memory, " + NicRequest.PREFIX + "*";
    }

    /** Names of resources of RDMA NICs, in order. */
    private Stream<String> rdmaNames() {
        return Stream.concat(limits.keySet().stream(), requests.keySet().stream())
                .filter(NicRequest::isResource)
                .sorted();
    }
}
