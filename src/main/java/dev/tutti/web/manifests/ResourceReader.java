package dev.tutti.web.manifests;

import dev.tutti.web.input.Scalar;
import dev.tutti.web.input.Violations;
import dev.tutti.web.manifests.JobManifest.Resources;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What a container asks for. Limits and requests of one resource must be equal: Tutti holds what it gives. */
final class ResourceReader {

    static final String GPU = "nvidia.com/gpu";
    private static final String MIG = "nvidia.com/mig-";
    private static final Set<String> KNOWN = Set.of(GPU, "cpu", "memory");
    private static final long MILLI = 1_000;
    private static final long MIB = 1 << 20;

    private final Map<String, Scalar> limits;
    private final Map<String, Scalar> requests;
    private final String path;
    private final Violations violations;

    ResourceReader(@Nullable Resources resources, String path, Violations violations) {
        this.limits = resources == null || resources.limits() == null ? Map.of() : resources.limits();
        this.requests = resources == null || resources.requests() == null ? Map.of() : resources.requests();
        this.path = path;
        this.violations = violations;
        refuseUnknown(limits, "limits");
        refuseUnknown(requests, "requests");
    }

    @Nullable
    Integer gpus() {
        Long gpus = amount(GPU, 1, 1);
        if (gpus != null && gpus > Integer.MAX_VALUE) {
            violations.add(path + ".limits." + GPU, "is " + gpus + ", which is far out of range");
            return null;
        }
        return gpus == null ? null : gpus.intValue();
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
            Long instances = amount(name, MILLI, 1);
            if (instances != null && (instances != MILLI || names.size() > 1)) {
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
        } else if (field.endsWith(GPU)
                && !Quantity.in(quantity.text(), MILLI, 1).equals(Optional.of(amount * MILLI))) {
            violations.add(path + "." + field, "is not a whole number; a share is asked for by tutti.dev/gpu-milli");
        }
        return amount;
    }

    private void refuseUnknown(Map<String, Scalar> amounts, String kind) {
        amounts.keySet().stream()
                .filter(name -> !KNOWN.contains(name) && !name.startsWith(MIG))
                .sorted()
                .forEach(name -> violations.add(
                        path + "." + kind + "." + name,
                        "is a resource Tutti does not give; known are " + GPU + ", " + MIG
                                + "1g.10gb and its like, cpu, memory"));
    }
}
