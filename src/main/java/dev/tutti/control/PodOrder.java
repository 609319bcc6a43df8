package dev.tutti.control;

import dev.tutti.model.AllocationId;
import dev.tutti.model.JobId;
import dev.tutti.model.fleet.MigInstance;
import dev.tutti.model.fleet.NicGroup;
import dev.tutti.model.job.NodeRules;
import dev.tutti.model.job.PodTemplate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All a cluster needs to make one pod. The pod's object name follows from job, attempt and rank.
 *
 * @param name the pod's name
 * @param allocation stamped on the pod, so that pod and ledger find each other
 * @param job its job
 * @param jobName the job's free-text name, for people; goes into an annotation, never into a name
 * @param attempt attempt number
 * @param rank its rank
 * @param podSet its pod set
 * @param pods pods of the job in this attempt
 * @param node name of the node it was given
 * @param gpus whole devices; 0 for a share, a MIG instance or a CPU-only pod
 * @param gpuMilli milli-GPU of the one device of a share; 0 otherwise
 * @param devices indexes of the devices on the node, ascending
 * @param mig its MIG instance on its one device; null for none
 * @param cpuMilli CPU in milli-cores
 * @param memoryMib memory in MiB
 * @param nodes which nodes it may use; the cluster checks them too
 * @param graceSeconds time between the signal to stop and the kill
 * @param expectedRuntimeSeconds how long it is expected to run; null when unknown
 * @param template what runs in it
 * @param nics the RDMA NICs it was given; all of one resource
 */
public record PodOrder(
        String name,
        AllocationId allocation,
        JobId job,
        String jobName,
        int attempt,
        int rank,
        String podSet,
        int pods,
        String node,
        int gpus,
        int gpuMilli,
        List<Integer> devices,
        @Nullable MigInstance mig,
        long cpuMilli,
        long memoryMib,
        NodeRules nodes,
        int graceSeconds,
        @Nullable Integer expectedRuntimeSeconds,
        PodTemplate template,
        List<NicGroup> nics) {
    public PodOrder {
        devices = List.copyOf(devices);
        nics = NicGroup.merged(nics);
    }
}
