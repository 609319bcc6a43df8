package dev.tutti.web.jobs;

import dev.tutti.control.read.MemberView;
import dev.tutti.model.fleet.MigInstance;
import dev.tutti.model.fleet.NicGroup;
import dev.tutti.model.life.EndCause;
import dev.tutti.model.life.MemberPhase;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One member and what it holds. */
@Schema(name = "Member", description = "One pod of the gang and what it holds or held.")
record MemberResponse(
        @Schema(description = "Id of its allocation.") String id,
        int attempt,
        String podSet,

        @Schema(description = "Its place in the job, from 0.")
        int rank,

        @Schema(
                description = "How far it has come. WAITING: it holds its GPUs, and its pod is made when the sets in"
                        + " startAfter of its pod set have come so far. COMMITTED: its pod is being made and bound.")
        MemberPhase phase,

        @Nullable EndCause cause,
        String cluster,
        String node,
        String flavor,

        @Schema(
                description = "The node's domain at each level.",
                example = "{\"zone\": \"z1\", \"block\": \"b1\", \"rack\": \"r1\"}")
        Map<String, String> domains,

        @Schema(description = "Name of its pod in the cluster.")
        String podName,

        @Nullable String podUid,
        List<MemberGpu> gpus,

        @Schema(description = "RDMA NICs it holds or held, by resource and place.")
        List<MemberNics> nics,

        long cpuMilli,
        long memoryMib,
        Instant allocatedAt,
        @Nullable Instant releasedAt) {

    static MemberResponse of(MemberView member) {
        return new MemberResponse(
                member.id().toString(),
                member.attempt(),
                member.podSet(),
                member.rank(),
                member.phase(),
                member.cause(),
                member.cluster(),
                member.node(),
                member.flavor(),
                domains(member.domains()),
                member.podName(),
                member.podUid(),
                member.devices().stream().map(MemberGpu::of).toList(),
                member.nics().stream().map(MemberNics::of).toList(),
                member.cpuMilli(),
                member.memoryMib(),
                member.allocatedAt(),
                member.releasedAt());
    }

    private static Map<String, String> domains(List<String> pairs) {
        Map<String, String> domains = new LinkedHashMap<>();
        for (String pair : pairs) {
            int equals = pair.indexOf('=');
            domains.put(pair.substring(0, equals), pair.substring(equals + 1));
        }
        return domains;
    }

    /** NICs of a member that are worth the same. */
    @Schema(name = "MemberNics", description = "RDMA NICs of one resource, in one place of the node.")
    record MemberNics(
            @Schema(description = "The name under which a container asks for one.", example = "rdma/hca")
            String resource,

            @Schema(
                    description = "PCIe root or NUMA node, as the node calls it; empty when unknown.",
                    example = "pcie-0")
            String place,

            int count) {

        static MemberNics of(NicGroup nics) {
            return new MemberNics(nics.resource(), nics.place(), nics.count());
        }
    }

    /** One device of a member. */
    @Schema(name = "MemberGpu", description = "A GPU, or a slot where the kubelet picks the GPU.")
    record MemberGpu(
            @Schema(description = "Opaque.") String id,

            @Schema(description = "Absent for a slot.") @Nullable
            String uuid,

            @Schema(description = "Place on the node, from 0.")
            int index,

            @Schema(description = "NVLink island on the node.")
            int island,

            @Schema(description = "Thousandths of it; 1000 is all.")
            int gpuMilli,

            @Schema(description = "Its MIG instance on the GPU; absent for none.") @Nullable
            MemberMig mig) {

        static MemberGpu of(MemberView.HeldDevice device) {
            return new MemberGpu(
                    Long.toString(device.id()),
                    device.uuid(),
                    device.index(),
                    device.island(),
                    device.milli(),
                    device.mig() == null ? null : MemberMig.of(device.mig()));
        }
    }

    /** A MIG instance. */
    @Schema(name = "MemberMig", description = "A MIG instance: a run of the eight memory units of a GPU.")
    record MemberMig(
            @Schema(example = "3g.40gb") String profile,

            @Schema(description = "First memory unit, from 0.")
            int start,

            @Schema(description = "Memory units.") int units) {

        static MemberMig of(MigInstance instance) {
            return new MemberMig(instance.profile(), instance.start(), instance.units());
        }
    }
}
