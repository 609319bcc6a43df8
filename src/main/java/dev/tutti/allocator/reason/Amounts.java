package dev.tutti.allocator.reason;

import dev.tutti.allocator.fit.Request;
import dev.tutti.allocator.fit.Resource;
import dev.tutti.model.Limits;
import dev.tutti.model.fleet.MigLayouts;
import java.util.List;
import java.util.stream.IntStream;

/** Amounts of resources in words, one or many. */
public final class Amounts {

    private Amounts() {}

    /** What a job needs of it, with the names that it gave to MIG profiles and resources of RDMA NICs. */
    public static String needed(Request request, Resource resource, long amount) {
        List<String> names = switch (resource) {
            case NICS -> request.nicResources();
            case INSTANCES -> profiles(request);
            default -> List.of();
        };
        return of(resource, amount) + (names.isEmpty() ? "" : " of " + String.join(" and ", names));
    }

    private static List<String> profiles(Request request) {
        return IntStream.range(0, request.sets())
                .mapToObj(request::shape)
                .filter(shape -> shape.isMig())
                .map(shape -> MigLayouts.PROFILES.get(shape.mig()))
                .distinct()
                .toList();
    }

    public static String of(Resource resource, long amount) {
        return switch (resource) {
            case GPUS -> thousandths(amount, "GPU");
            case CPU -> thousandths(amount, "CPU");
            case MEMORY -> amount + " MiB of memory";
            case NICS -> count(amount, "RDMA NIC");
            case PODS -> count(amount, "pod");
            case INSTANCES -> count(amount, "MIG instance");
            case WHOLE_NODES -> count(amount, "whole node");
        };
    }

    private static String count(long amount, String noun) {
        return amount + " " + noun + (amount == 1 ? "" : "s");
    }

    private static String thousandths(long milli, String noun) {
        long rest = milli % Limits.DEVICE_MILLI;
        String whole = Long.toString(milli / Limits.DEVICE_MILLI);
        return rest == 0
                ? count(milli / Limits.DEVICE_MILLI, noun)
                : whole + "." + String.format("%03d", rest).replaceAll("0+$", "") + " " + noun + "s";
    }
}
