package dev.tutti.allocator.reason;

import dev.tutti.allocator.board.Layout;
import dev.tutti.allocator.board.PodShape;
import dev.tutti.allocator.fit.Measure;
import dev.tutti.allocator.fit.Request;
import dev.tutti.allocator.fit.Resource;
import dev.tutti.model.job.PodSet;
import dev.tutti.model.life.Reason;
import dev.tutti.model.life.ReasonCode;
import java.util.ArrayList;
import java.util.List;

/** What one pod of a set wants more of than any node has that could take it. */
public final class OnePod {

    /** The first that is too much is named, among the nodes that have enough of those before it. */
    private static final List<Resource> ORDER =
            List.of(Resource.GPUS, Resource.INSTANCES, Resource.CPU, Resource.MEMORY, Resource.NICS, Resource.PODS);

    private OnePod() {}

    /** Why no node could ever take one pod of the set; it must be so. */
    public static Reason tooLarge(Request request, int set, PodSet podSet, Measure measure, Layout layout) {
        PodShape shape = request.shape(set);
        List<Resource> before = new ArrayList<>();
        for (Resource resource : ORDER) {
            long most = measure.most(request, set, resource, before);
            if (most < resource.of(shape)) {
                boolean isMoreElsewhere = measure.most(request, set, resource, List.of()) > most;
                return isAbsent(resource, podSet, layout)
                        ? reason(resource, shape, 0, Absent.nics(layout, podSet))
                        : reason(
                                resource,
                                shape,
                                most,
                                sentence(podSet, shape, resource, most, isMoreElsewhere ? with(before) : ""));
            }
            if (resource.of(shape) > 0) {
                before.add(resource);
            }
        }
        return reason(Resource.PODS, shape, 0, "No node has all at once that one pod of " + podSet.name() + " needs.");
    }

    private static boolean isAbsent(Resource resource, PodSet set, Layout layout) {
        String name = set.nics().resource();
        List<String> names = layout.nicResources();
        return resource == Resource.NICS && (name.isEmpty() ? names.isEmpty() : !names.contains(name));
    }

    private static Reason reason(Resource resource, PodShape shape, long most, String detail) {
        return new Reason(ReasonCode.EXCEEDS_LIMIT, resource.field, resource.of(shape), most, detail);
    }

    private static String sentence(PodSet set, PodShape shape, Resource resource, long most, String with) {
        String name =
                set.nics().resource().isEmpty() ? "one resource" : set.nics().resource();
        return Sentences.there(
                "One pod of " + set.name() + " is larger than every node it may use",
                Amounts.of(resource, resource.of(shape)) + (resource == Resource.NICS ? " of " + name : ""),
                Amounts.of(resource, most) + with);
    }

    /** Other nodes have more of it, but too little of these. */
    private static String with(List<Resource> before) {
        List<String> names = before.stream()
                .filter(resource -> resource != Resource.INSTANCES)
                .map(OnePod::noun)
                .toList();
        return " beside enough " + String.join(" and ", names);
    }

    private static String noun(Resource resource) {
        return switch (resource) {
            case GPUS, INSTANCES -> "GPUs";
            case CPU -> "CPUs";
            case MEMORY -> "memory";
            case NICS -> "NICs";
            case PODS, WHOLE_NODES -> "pods";
        };
    }
}
