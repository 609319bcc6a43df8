package dev.tutti.control.read;

import dev.tutti.model.AllocationId;
import dev.tutti.model.fleet.MigInstance;
import dev.tutti.model.fleet.NicGroup;
import dev.tutti.model.life.EndCause;
import dev.tutti.model.life.MemberPhase;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One member of an attempt and what it holds.
 *
 * @param domains name of the node's domain by level, widest first, as {@code level=domain}
 * @param devices what it holds or held
 * @param nics the RDMA NICs it holds or held
 */
public record MemberView(
        AllocationId id,
        int attempt,
        String podSet,
        int rank,
        MemberPhase phase,
        @Nullable EndCause cause,
        String cluster,
        String node,
        String flavor,
        List<String> domains,
        String podName,
        @Nullable String podUid,
        List<HeldDevice> devices,
        long cpuMilli,
        long memoryMib,
        Instant allocatedAt,
        @Nullable Instant releasedAt,
        List<NicGroup> nics) {

    /**
     * One device of a member.
     *
     * @param uuid null for an anonymous slot
     * @param island NVLink island within the node
     * @param mig its MIG instance on the device; null for none
     */
    public record HeldDevice(
            long id,
            int index,
            @Nullable String uuid,
            int island,
            int milli,
            @Nullable MigInstance mig) {}
}
