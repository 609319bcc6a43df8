package dev.tutti.allocator.reason;

import dev.tutti.allocator.board.Layout;
import dev.tutti.allocator.board.MigTable;
import dev.tutti.allocator.board.PodShape;
import dev.tutti.allocator.fit.Request;
import dev.tutti.model.FewNames;
import dev.tutti.model.fleet.MigLayouts;
import dev.tutti.model.job.GpuRequest;
import dev.tutti.model.job.PodSet;
import dev.tutti.model.life.Reason;
import dev.tutti.model.life.ReasonCode;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * What a pod set asks for that no node has, by name, and what there is instead. Names flavors, MIG profiles and resources
 * of the fleet only, and few of them.
 */
public final class Absent {

    private final Layout layout;
    private final PodSet set;
    private final PodShape shape;

    private Absent(Layout layout, PodSet set) {
        this.layout = layout;
        this.set = set;
        this.shape = PodShape.of(set);
    }

    /** No flavor of the fleet can serve the first such set. */
    public static Reason flavor(Layout layout, List<PodSet> podSets) {
        PodSet set = podSets.stream()
                .filter(each -> !Request.hasFlavors(layout, each))
                .findFirst()
                .orElseThrow();
        String what = new Absent(layout, set).flavor();
        return new Reason(ReasonCode.NO_MATCHING_FLAVOR, null, 0, 0, "Pod set " + set.name() + ": " + what + ".");
    }

    /** There are nodes of its flavors, but none that the first such set may use. */
    public static Reason node(Layout layout, List<PodSet> podSets) {
        PodSet set = podSets.stream()
                .filter(each -> !Request.hasNodes(layout, each))
                .findFirst()
                .orElseThrow();
        String what = new Excluded(layout, set).why();
        return new Reason(ReasonCode.NO_MATCHING_FLAVOR, null, 0, 0, "Pod set " + set.name() + ": " + what + ".");
    }

    /** No node has RDMA NICs of the resource that the set names. */
    public static String nics(Layout layout, PodSet set) {
        String resource = set.nics().resource();
        return "No node has RDMA NICs" + (resource.isEmpty() ? "" : " of " + resource)
                + FewNames.of("; there are ", layout.nicResources()) + ".";
    }

    private String flavor() {
        List<String> named =
                set.flavors().stream().filter(name -> layout.flavorOf(name) < 0).toList();
        if (!set.flavors().isEmpty() && named.size() == set.flavors().size()) {
            return unknown(named) + FewNames.of("; there are ", flavors(f -> true));
        }
        String also = named.isEmpty() ? "" : "; " + unknown(named);
        boolean noGpus = IntStream.range(0, layout.flavors()).noneMatch(f -> isAsked(f) && hasGpus(f));
        return (noGpus && shape.devices() > 0 ? "no node" + where() + " has GPUs" + withGpus() : cannotBeCut()) + also;
    }

    private static String unknown(List<String> names) {
        return "no node is of flavor " + FewNames.of(names);
    }

    private String withGpus() {
        return FewNames.of("; those with GPUs are ", flavors(this::hasGpus));
    }

    private String cannotBeCut() {
        if (!(set.gpus() instanceof GpuRequest.Mig mig)) {
            return "there are no nodes";
        }
        List<String> others = flavors(f -> layout.canCut(f, shape));
        String instead = others.isEmpty()
                ? FewNames.of("; profiles there are: ", profiles())
                : FewNames.of("; those that can are ", others);
        return "no GPU" + where() + " can be cut into MIG " + mig.profile() + instead;
    }

    private String where() {
        List<String> known = set.flavors().stream()
                .filter(name -> layout.flavorOf(name) >= 0)
                .toList();
        return known.isEmpty() ? "" : " of flavor " + FewNames.of(known);
    }

    private boolean isAsked(int flavor) {
        return set.flavors().isEmpty() || set.flavors().contains(layout.flavorName(flavor));
    }

    private boolean hasGpus(int flavor) {
        return layout.mostDevicesOf[flavor] > 0;
    }

    private List<String> flavors(IntPredicate some) {
        return IntStream.range(0, layout.flavors())
                .filter(some)
                .mapToObj(layout::flavorName)
                .filter(name -> layout.flavorOf(name) >= 0)
                .toList();
    }

    private List<String> profiles() {
        return IntStream.range(0, MigLayouts.PROFILES.size())
                .filter(profile -> IntStream.of(layout.migOf)
                        .anyMatch(mig -> mig >= 0 && MigTable.of(mig).units(profile) > 0))
                .mapToObj(MigLayouts.PROFILES::get)
                .toList();
    }
}
