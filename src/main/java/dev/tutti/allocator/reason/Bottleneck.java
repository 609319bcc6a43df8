package dev.tutti.allocator.reason;

import dev.tutti.allocator.fit.Request;
import dev.tutti.allocator.fit.Resource;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;

/** Which resource keeps a gang from fitting. Says nothing of how much is missing. */
public final class Bottleneck {

    /** RDMA NICs come first: where the gang would fit without any, nobody looks for the reason among its GPUs. */
    private static final List<Resource> ALONE = List.of(Resource.NICS, Resource.GPUS, Resource.CPU, Resource.MEMORY);

    /** Slots come first: what a node holds of anything else it cannot hold without. */
    private static final List<Resource> TOGETHER =
            List.of(Resource.PODS, Resource.GPUS, Resource.NICS, Resource.CPU, Resource.MEMORY);

    private Bottleneck() {}

    /**
     * The resource without which the gang would fit; when it would not without any one of them, the one that holds fewest
     * pods even if they need nothing else; when each of them holds all, only not together, its main resource.
     *
     * @param fits whether such a gang would fit; of the one asked about it is known that it does not
     * @param held how many of its pods would
     */
    public static Resource of(Request request, Predicate<Request> fits, ToIntFunction<Request> held) {
        for (Resource resource : ALONE) {
            if (request.wants(resource) && fits(request.without(resource), fits, held)) {
                return resource;
            }
        }
        Resource scarcest = main(request);
        int fewest = request.leastPods();
        for (Resource resource : TOGETHER) {
            int pods = request.wants(resource) ? held.applyAsInt(request.only(resource)) : fewest;
            if (pods < fewest) {
                fewest = pods;
                scarcest = resource;
            }
        }
        return scarcest;
    }

    /** Equal pods need no search. */
    private static boolean fits(Request request, Predicate<Request> fits, ToIntFunction<Request> held) {
        return request.sets() == 1 ? held.applyAsInt(request) == request.leastPods() : fits.test(request);
    }

    /** GPUs if it wants any, else RDMA NICs, else CPU, else memory, else pods. */
    private static Resource main(Request request) {
        return TOGETHER.stream().skip(1).filter(request::wants).findFirst().orElse(Resource.PODS);
    }
}
