package dev.tutti.control;

import dev.tutti.allocator.QueueShares;
import dev.tutti.allocator.Snapshot;
import dev.tutti.allocator.WaitingJob;
import dev.tutti.control.ChangeFeed.Changes;
import dev.tutti.control.ChangeFeed.DeviceRow;
import dev.tutti.control.ChangeFeed.NodeRow;
import dev.tutti.model.JobId;
import dev.tutti.model.NodeId;
import dev.tutti.model.QueueId;
import dev.tutti.model.TopologyLevels;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The fleet, the waiting jobs and what was asked for lately in memory, kept true by the change feed (house rule R7). One thread writes and reads
 * it; the snapshots it hands out are immutable and may be shared. It decides nothing: it only mirrors rows.
 */
public final class FleetMirror {

    private final TopologyLevels levels;
    private final Map<NodeId, NodeRow> nodes = new TreeMap<>();
    private final Map<NodeId, List<DeviceRow>> devices = new HashMap<>();
    private final Map<QueueId, QueueShares.Share> queues = new HashMap<>();
    private final Map<JobId, WaitingJob> waiting = new TreeMap<>();
    private final Set<String> flavors = new HashSet<>();
    private final RecentJobs recent = new RecentJobs();
    private @Nullable String cursor;
    private @Nullable Snapshot snapshot;
    private long nowMicros;
    private long nextOpeningMicros = Long.MAX_VALUE;
    private long revision;

    public FleetMirror(TopologyLevels levels) {
        this.levels = levels;
    }

    /** Where to read on: the cursor of the last changes taken in; null before the first. */
    public @Nullable String cursor() {
        return cursor;
    }

    /** The database's time of the last changes taken in, in microseconds since 1970. */
    public long nowMicros() {
        return nowMicros;
    }

    /** Counts up with every change of capacity, quota or the waiting book, and when a closed node opens again. */
    public long revision() {
        return revision;
    }

    /** Takes in changes; rows that come again change nothing but the revision. */
    public void take(Changes changes) {
        changes.waiting().forEach(this::takeWaiting);
        changes.recent().forEach(job -> recent.take(job.job(), job.submittedAtMicros(), job.podSets()));
        changes.settled().forEach(waiting::remove);
        changes.nodes().forEach(this::takeNode);
        devices.putAll(changes.devices());
        queues.putAll(changes.queues());
        changes.removedQueues().forEach(queues::remove);
        cursor = changes.cursor();
        nowMicros = changes.nowMicros();
        if (!isEmpty(changes) || nowMicros >= nextOpeningMicros) {
            revision++;
            snapshot = null;
        }
    }

    /** Jobs that wait, in no order that matters. */
    public Collection<WaitingJob> waiting() {
        return List.copyOf(waiting.values());
    }

    /** Capacity, quota and use as of the last changes. */
    public Snapshot snapshot() {
        if (snapshot == null) {
            snapshot = build(false);
            nextOpeningMicros = nodes.values().stream()
                    .mapToLong(NodeRow::closedUntilMicros)
                    .filter(closed -> closed > nowMicros)
                    .min()
                    .orElse(Long.MAX_VALUE);
        }
        return snapshot;
    }

    /** The same fleet with every node open and nothing held or used: what could ever be had. */
    public Snapshot emptySnapshot() {
        return build(true);
    }

    /** Whether any node that was ever seen is of this flavor. */
    public boolean knowsFlavor(String flavor) {
        return flavors.contains(flavor);
    }

    private void takeWaiting(WaitingJob job) {
        waiting.put(job.job(), job);
        recent.take(job.job(), job.submittedAtMicros(), job.podSets());
    }

    private void takeNode(NodeRow node) {
        nodes.put(node.id(), node);
        flavors.add(node.flavor());
    }

    private Snapshot build(boolean empty) {
        SnapshotBuilder builder = new SnapshotBuilder(levels, nowMicros, empty);
        nodes.values().stream()
                .filter(node -> !node.gone())
                .forEach(node -> builder.add(node, devices.getOrDefault(node.id(), List.of())));
        return builder.build(revision, queues, recent.mix());
    }

    private static boolean isEmpty(Changes changes) {
        return changes.waiting().isEmpty()
                && changes.settled().isEmpty()
                && changes.nodes().isEmpty()
                && changes.devices().isEmpty()
                && changes.queues().isEmpty()
                && changes.removedQueues().isEmpty()
                && changes.recent().isEmpty();
    }
}
