package dev.tutti.control.view;

import dev.tutti.allocator.QueueShares;
import dev.tutti.allocator.RunningJob;
import dev.tutti.allocator.WaitingJob;
import dev.tutti.model.ClusterId;
import dev.tutti.model.JobId;
import dev.tutti.model.NodeId;
import dev.tutti.model.QueueId;
import dev.tutti.model.fleet.NodeTraits;
import dev.tutti.model.job.Lane;
import dev.tutti.model.job.PodSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The one head query of a cycle: everything that changed since a cursor. Rows may come again; taking one in twice
 * changes nothing. A null cursor asks for everything.
 */
public interface ChangeFeed {

    /** So many of the jobs submitted last tell what is wanted lately. */
    int RECENT_JOBS = 4_096;

    /** All rows changed since {@code cursor}, in one statement. */
    Changes since(@Nullable String cursor);

    /**
     * What changed.
     *
     * @param cursor ask from here next time
     * @param nowMicros the database's time of this reading, in microseconds since 1970
     * @param waiting jobs that are QUEUED now
     * @param settled jobs that cannot start as they are: not QUEUED now, or in {@code unreadable}
     * @param running changed jobs that hold capacity now, each with all its living members; any other job in {@code waiting} or
     *     {@code settled} holds nothing
     * @param nodes changed nodes
     * @param devices changed devices, by node; a node that is in here comes with all its devices
     * @param queues changed queues, each with quota and use
     * @param removedQueues queues that are gone
     * @param recent of the {@link #RECENT_JOBS} jobs submitted last, all that are not QUEUED now and that the asker may not
     *     have heard of; those that wait are in {@code waiting}
     * @param growing what the changed jobs that run ask for in addition; one that is not in here asks for nothing more
     * @param lanes rules of lanes, changed or not, with what counts against them; one that is not named has none
     * @param unreadable of the jobs in {@code settled}, those that are QUEUED, but nobody can read what they ask for
     */
    record Changes(
            String cursor,
            long nowMicros,
            List<WaitingJob> waiting,
            List<JobId> settled,
            List<RunningJob> running,
            List<NodeRow> nodes,
            Map<NodeId, List<DeviceRow>> devices,
            Map<QueueId, QueueShares.Share> queues,
            List<QueueId> removedQueues,
            List<RecentJob> recent,
            List<WaitingJob> growing,
            Map<Lane, LaneRow> lanes,
            List<JobId> unreadable) {

        /** Changes in which every waiting job can be read. */
        public Changes(
                String cursor,
                long nowMicros,
                List<WaitingJob> waiting,
                List<JobId> settled,
                List<RunningJob> running,
                List<NodeRow> nodes,
                Map<NodeId, List<DeviceRow>> devices,
                Map<QueueId, QueueShares.Share> queues,
                List<QueueId> removedQueues,
                List<RecentJob> recent,
                List<WaitingJob> growing,
                Map<Lane, LaneRow> lanes) {
            this(
                    cursor,
                    nowMicros,
                    waiting,
                    settled,
                    running,
                    nodes,
                    devices,
                    queues,
                    removedQueues,
                    recent,
                    growing,
                    lanes,
                    List.of());
        }

        /** Changes in which no running job wants more. */
        public Changes(
                String cursor,
                long nowMicros,
                List<WaitingJob> waiting,
                List<JobId> settled,
                List<RunningJob> running,
                List<NodeRow> nodes,
                Map<NodeId, List<DeviceRow>> devices,
                Map<QueueId, QueueShares.Share> queues,
                List<QueueId> removedQueues,
                List<RecentJob> recent,
                Map<Lane, LaneRow> lanes) {
            this(
                    cursor,
                    nowMicros,
                    waiting,
                    settled,
                    running,
                    nodes,
                    devices,
                    queues,
                    removedQueues,
                    recent,
                    List.of(),
                    lanes);
        }
    }

    /**
     * A job that was submitted lately, whatever became of it.
     *
     * @param submittedAtMicros when, in microseconds since 1970
     * @param podSets what it asked for
     */
    record RecentJob(JobId job, long submittedAtMicros, List<PodSet> podSets) {}

    /**
     * One node.
     *
     * @param domains its domain at each configured level, widest first
     * @param traits its labels and taints
     * @param open whether pods may be placed on it, by its state and its cluster's
     * @param closedUntilMicros back-off: no pods before this time, in microseconds since 1970; 0 for none
     * @param gone whether its Node object is gone
     * @param nics its RDMA NICs; a node that is told comes with all of them
     */
    record NodeRow(
            NodeId id,
            ClusterId cluster,
            String clusterName,
            String name,
            String flavor,
            List<String> domains,
            NodeTraits traits,
            boolean open,
            long closedUntilMicros,
            boolean gone,
            long cpuMilli,
            long memoryMib,
            int podSlots,
            long heldCpuMilli,
            long heldMemoryMib,
            int heldPods,
            List<NicRow> nics) {

        /** Whether only what is held of the node, or whether it is open, may differ. */
        boolean hasShapeOf(NodeRow other) {
            return cluster.equals(other.cluster)
                    && clusterName.equals(other.clusterName)
                    && name.equals(other.name)
                    && flavor.equals(other.flavor)
                    && domains.equals(other.domains)
                    && traits.equals(other.traits)
                    && gone == other.gone
                    && cpuMilli == other.cpuMilli
                    && memoryMib == other.memoryMib
                    && podSlots == other.podSlots
                    && NicRow.haveShapeOf(nics, other.nics);
        }

        /** The same row with an equal value of its traits, so that rows of many readings can share one. */
        NodeRow with(NodeTraits equal) {
            return new NodeRow(
                    id,
                    cluster,
                    clusterName,
                    name,
                    flavor,
                    domains,
                    equal,
                    open,
                    closedUntilMicros,
                    gone,
                    cpuMilli,
                    memoryMib,
                    podSlots,
                    heldCpuMilli,
                    heldMemoryMib,
                    heldPods,
                    nics);
        }
    }

    /**
     * One device or slot.
     *
     * @param usable healthy and not fenced
     * @param heldMilli milli-GPU that members hold
     * @param migLayout name of its MIG layout; null where it cannot be cut
     * @param heldUnits memory units that MIG instances hold, as a mask
     * @param place PCIe root or NUMA node; empty when unknown
     */
    record DeviceRow(
            long id,
            int index,
            int island,
            boolean usable,
            int heldMilli,
            @Nullable String migLayout,
            int heldUnits,
            String place) {

        /** Whether these are the same devices of a node, in the same order, islands, MIG layouts and places. */
        static boolean haveShapeOf(List<DeviceRow> rows, List<DeviceRow> others) {
            boolean same = rows.size() == others.size();
            for (int i = 0; same && i < rows.size(); i++) {
                same = rows.get(i).id == others.get(i).id
                        && rows.get(i).island == others.get(i).island
                        && Objects.equals(rows.get(i).migLayout, others.get(i).migLayout)
                        && rows.get(i).place.equals(others.get(i).place);
            }
            return same;
        }
    }

    /**
     * RDMA NICs of a node that are worth the same.
     *
     * @param resource the name under which a container asks for one
     * @param place PCIe root or NUMA node; empty when unknown
     * @param count how many the node offers
     * @param held how many members hold; more than {@code count} while the node is in debt
     */
    record NicRow(long id, String resource, String place, int count, int held) {

        /** Whether only what is held of them may differ. */
        static boolean haveShapeOf(List<NicRow> rows, List<NicRow> others) {
            return rows.stream()
                    .map(NicRow::unheld)
                    .toList()
                    .equals(others.stream().map(NicRow::unheld).toList());
        }

        private NicRow unheld() {
            return new NicRow(id, resource, place, count, 0);
        }
    }
}
