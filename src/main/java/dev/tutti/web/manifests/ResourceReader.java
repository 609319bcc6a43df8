package dev.tutti.web.manifests;

import dev.tutti.model.Limits;
import dev.tutti.model.job.NicRequest;
import dev.tutti.web.input.Scalar;
import dev.tutti.web.input.Texts;
import dev.tutti.web.input.Violations;
import dev.tutti.web.manifests.JobManifest.Resources;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a container asks for. Limits and requests of one resource must be equal: Tutti holds what it gives. RDMA NICs are
 * of one resource name, whichever it is.
 */
final class ResourceReader {

    static final String GPU = "nvidia.com/gpu";
    static final String MIG = "nvidia.com/mig-";
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
        List<String> nics = asked(NicRequest::isResource);
        this.rdmaResource = nics.isEmpty() ? null : nics.get(0);
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
        return rdma == null ? null : rdmaResource;
    }

    private @Nullable Integer whole(String name) {
        Long whole = amount(name, 1, 1);
        if (whole != null && whole > Integer.MAX_VALUE) {
            int most = name.equals(GPU) ? Limits.GPUS_PER_POD : Limits.NICS_PER_POD;
            violations.add(field(name), "is " + whole + "; give a whole number from 0 to " + most);
            return null;
        }
        return whole == null ? null : whole.intValue();
    }

    /** Profile of the one MIG instance that the container asks for; null when it asks for none. */
    @Nullable
    String mig() {
        List<String> names = asked(name -> name.startsWith(MIG));
        for (String name : names) {
            Long instances = amount(name, 1, 1);
            if (names.size() > 1) {
                violations.add(
                        field(name),
                        "is one of " + names.size() + " MIG resources; give one, as a pod may have one MIG instance");
            } else if (instances != null && instances != 1) {
                violations.add(field(name), "is " + instances + "; give 1, as a pod may have one MIG instance");
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
        Scalar limited = limits.get(name);
        Scalar requested = requests.get(name);
        Long limit = amount(limited, "limits." + name, numerator, denominator);
        Long request = amount(requested, "requests." + name, numerator, denominator);
        if (limit != null && request != null && !limit.equals(request) && limited != null && requested != null) {
            violations.add(
                    path + ".limits." + name,
                    "is " + limited.text() + ", but the request is " + requested.text()
                            + "; give both the same, as Tutti holds what it gives");
        }
        return request == null ? limit : request;
    }

    private @Nullable Long amount(@Nullable Scalar quantity, String field, long numerator, long denominator) {
        if (quantity == null) {
            return null;
        }
        Long amount = Quantity.in(quantity.text(), numerator, denominator).orElse(null);
        if (amount == null) {
            violations.add(
                    path + "." + field,
                    "is \"" + Texts.clip(quantity.text()) + "\"; give a quantity such as 8, 500m or 64Gi");
        } else if (!DIVISIBLE.contains(field)
                && !Quantity.in(quantity.text(), MILLI, 1).equals(Optional.of(amount * MILLI))) {
            violations.add(path + "." + field, notWhole(field, quantity.text()));
        }
        return amount;
    }

    private static String notWhole(String field, String text) {
        return "is " + Texts.clip(text) + "; give a whole number"
                + (field.endsWith(GPU) ? ", or ask for a share by " + Annotations.PREFIX + "gpu-milli" : "");
    }

    /** Where the caller wrote the resource. */
    private String field(String name) {
        return path + (limits.containsKey(name) || !requests.containsKey(name) ? ".limits." : ".requests.") + name;
    }

    private void refuseUnknown(Map<String, Scalar> amounts, String kind) {
        amounts.keySet().stream()
                .filter(name -> !KNOWN.contains(name) && !name.startsWith(MIG) && !name.equals(rdmaResource))
                .filter(name -> !NicRequest.isResource(name) || !isZero(name))
                .sorted()
                .forEach(name -> violations.add(path + "." + kind + "." + Texts.clip(name), refusal(name)));
    }

    private String refusal(String name) {
        return NicRequest.isResource(name)
                ? "is a second resource of RDMA NICs; give " + rdmaResource
                        + " or this, as all NICs of a pod are of one"
                : "is a resource Tutti does not give; leave it out, or give one of " + GPU + ", " + MIG
                        + "1g.10gb and its like, cpu, memory, " + NicRequest.PREFIX + "*";
    }

    /** Names of such resources of which any is asked for, in order. Zero of one is not asked for. */
    private List<String> asked(Predicate<String> kind) {
        return Stream.concat(limits.keySet().stream(), requests.keySet().stream())
                .filter(kind)
                .distinct()
                .filter(name -> !isZero(name))
                .sorted()
                .toList();
    }

    private boolean isZero(String name) {
        return Stream.of(limits, requests)
                .map(amounts -> amounts.get(name))
                .filter(Objects::nonNull)
                .allMatch(quantity -> Quantity.in(quantity.text(), MILLI, 1).equals(Optional.of(0L)));
    }
}
