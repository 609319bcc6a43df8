package dev.tutti.model.job;

import dev.tutti.model.Check;
import dev.tutti.model.Labels;
import dev.tutti.model.Limits;

/**
 * RDMA NICs that each pod of a set needs: all on its node, all of one resource name, beside its devices where possible.
 *
 * @param nics how many, 0 to {@link Limits#NICS_PER_POD}; 0 for none
 * @param resource the one resource name they must be of, such as {@code rdma/hca}; empty for any
 */
public record NicRequest(int nics, String resource) {

    /** What the name of every resource of NICs begins with. */
    public static final String PREFIX = "rdma/";

    /** No NICs. */
    public static final NicRequest NONE = new NicRequest(0, "");

    public NicRequest {
        new Check()
                .range(nics, 0, Limits.NICS_PER_POD, "rdma")
                .that(
                        resource.isEmpty() || isResource(resource),
                        "rdmaResource",
                        "is \"" + Labels.shown(resource) + "\"; give a resource name such as rdma/hca")
                .that(
                        nics > 0 || resource.isEmpty(),
                        "rdmaResource",
                        "is \"" + Labels.shown(resource)
                                + "\", but rdma asks for no NIC of it; give rdma too, or leave this out")
                .orThrow();
    }

    /** NICs of any one resource name. */
    public static NicRequest of(int nics) {
        return new NicRequest(nics, "");
    }

    /** Whether this is the name of a resource of NICs. */
    public static boolean isResource(String name) {
        return name.startsWith(PREFIX) && Labels.isKey(name);
    }
}
