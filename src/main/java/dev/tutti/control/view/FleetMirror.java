package dev.tutti.control.view;

import dev.tutti.allocator.QueueShares;
import dev.tutti.allocator.RunningBook;
import dev.tutti.allocator.RunningJob;
import dev.tutti.allocator.Snapshot;
import dev.tutti.allocator.WaitingBook;
import dev.tutti.allocator.WaitingJob;
import dev.tutti.control.view.ChangeFeed.Changes;
import dev.tutti.control.view.ChangeFeed.DeviceRow;
import dev.tutti.control.view.ChangeFeed.NodeRow;
import dev.tutti.model.JobId;
import dev.tutti.model.NodeId;
import dev.tutti.model.QueueId;
import dev.tutti.model.fleet.NodeTraits;
import dev.tutti.model.fleet.TopologyLevels;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The fleet, the jobs that wait or hold capacity, and what was asked for lately in memory, kept true by the change feed (house rule R7). One thread writes and reads
 * it; the snapshots it hands out are immutable and may be shared. It decides nothing: it only mirrors rows.
 */
public final class FleetMirror {

    private final TopologyLevels levels;
    private final Map<NodeId, NodeRow> nodes = new TreeMap<>();
    private final Map<NodeId, List<DeviceRow>> devices = new HashMap<>();
    private final Map<QueueId, QueueShares.Share> queues = new HashMap<>();
    private final WaitingBook waiting = new WaitingBook();
    private final RunningBook running = new RunningBook();
    private final Set<String> flavors = new HashSet<>();
    private final RecentJobs recent = new RecentJobs();
    private final OpenLanes lanes = new OpenLanes();
    /** Nodes that back off, by when they take pods again. */
    private final Map<NodeId, Long> closed = new HashMap<>();
    /** Nodes whose rows changed since the last snapshot. */
    private final Set<NodeId> changed = new HashSet<>();

    private @Nullable String cursor;
    private @Nullable Snapshot snapshot;
    private boolean isCurrent;
    private boolean isReshaped;
    private boolean queuesChanged;
    private long nowMicros;
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

    /** Counts up with every change of capacity, quota, the waiting book or what is held by whom, and when a closed node opens again. */
    public long revision() {
        return revision;
    }

    /** When a lane opens or closes next, or may start one more, in microseconds since 1970. */
    public long nextLaneChangeMicros() {
        return lanes.nextMicros();
    }

    /** Takes in changes; rows that come again change nothing but the revision. */
    public void take(Changes changes) {
        changes.waiting().forEach(this::takeWaiting);
        changes.recent().forEach(job -> recent.take(job.job(), job.submittedAtMicros(), job.podSets()));
        changes.settled().forEach(waiting::remove);
        takeRunning(changes);
        changes.nodes().forEach(this::takeNode);
        changes.devices().forEach(this::takeDevices);
        queues.putAll(changes.queues());
        changes.removedQueues().forEach(queues::remove);
        queuesChanged |= !changes.queues().isEmpty() || !changes.removedQueues().isEmpty();
        cursor = changes.cursor();
        nowMicros = changes.nowMicros();
        boolean turned = lanes.follow(changes.lanes(), nowMicros);
        queuesChanged |= turned;
        if (!isEmpty(changes) | open() | turned) {
            revision++;
            isCurrent = false;
        }
    }

    /** Jobs that wait to start, in no order that matters. */
    public Collection<WaitingJob> waiting() {
        return waiting.jobs().stream().filter(job -> job.growth() == null).toList();
    }

    /** The same, and running jobs that want more pods, as a book that goes on changing with this mirror. */
    public WaitingBook book() {
        return waiting;
    }

    /** The jobs that hold capacity, as a book that goes on changing with this mirror. */
    public RunningBook running() {
        return running;
    }

    /** Capacity, quota and use as of the last changes. What did not change is shared with the snapshot before. */
    public Snapshot snapshot() {
        Snapshot last = snapshot;
        if (last == null || isReshaped) {
            last = build(false);
        } else if (!isCurrent) {
            last = refresh(last);
        }
        snapshot = last;
        isCurrent = true;
        isReshaped = false;
        queuesChanged = false;
        changed.clear();
        return last;
    }

    /** The same fleet with every node open, every device healthy and nothing held or used: what could ever be had. */
    public Snapshot emptySnapshot() {
        return build(true);
    }

    /** Whether any node that was ever seen is of this flavor. */
    public boolean knowsFlavor(String flavor) {
        return flavors.contains(flavor);
    }

    /** All such flavors, in order. */
    public List<String> knownFlavors() {
        return flavors.stream().sorted().toList();
    }

    private void takeWaiting(WaitingJob job) {
        waiting.put(job);
        recent.take(job.job(), job.submittedAtMicros(), job.podSets());
    }

    /** A job that was told of and holds something is told with what it holds. */
    private void takeRunning(Changes changes) {
        Set<JobId> holders = changes.running().stream().map(RunningJob::job).collect(Collectors.toSet());
        Stream.concat(changes.settled().stream(), changes.waiting().stream().map(WaitingJob::job))
                .filter(job -> !holders.contains(job))
                .forEach(running::remove);
        changes.running().forEach(running::put);
        changes.growing().forEach(waiting::put);
    }

    private void takeNode(NodeRow node) {
        NodeRow before = nodes.get(node.id());
        NodeTraits known = before == null ? node.traits() : before.traits();
        nodes.put(node.id(), node.traits().equals(known) ? node.with(known) : node);
        flavors.add(node.flavor());
        changed.add(node.id());
        isReshaped |= before == null ? !node.gone() : !node.hasShapeOf(before);
        if (node.closedUntilMicros() > 0) {
            closed.put(node.id(), node.closedUntilMicros());
        } else {
            closed.remove(node.id());
        }
    }

    private void takeDevices(NodeId node, List<DeviceRow> rows) {
        List<DeviceRow> before = devices.put(node, rows);
        changed.add(node);
        isReshaped |= before == null || !DeviceRow.haveShapeOf(rows, before);
    }

    /** Nodes whose back-off is over; whether there are any. */
    private boolean open() {
        List<NodeId> opening = closed.entrySet().stream()
                .filter(entry -> entry.getValue() <= nowMicros)
                .map(Map.Entry::getKey)
                .toList();
        opening.forEach(closed::remove);
        return changed.addAll(opening);
    }

    private Snapshot refresh(Snapshot before) {
        SnapshotRefresh refresh = new SnapshotRefresh(before, nowMicros);
        for (NodeId id : changed) {
            NodeRow node = nodes.get(id);
            if (node != null && !node.gone()) {
                refresh.lay(node, devices.getOrDefault(id, List.of()));
            }
        }
        QueueShares shares = queuesChanged ? new QueueShares(queues, lanes.now()) : before.queues();
        return new Snapshot(revision, before.names(), refresh.fleet(), shares, recent.mix());
    }

    private Snapshot build(boolean empty) {
        SnapshotBuilder builder = new SnapshotBuilder(levels, nowMicros, empty);
        nodes.values().stream()
                .filter(node -> !node.gone())
                .forEach(node -> builder.add(node, devices.getOrDefault(node.id(), List.of())));
        return builder.build(revision, new QueueShares(queues, lanes.now()), recent.mix());
    }

    private static boolean isEmpty(Changes changes) {
        return changes.waiting().isEmpty()
                && changes.settled().isEmpty()
                && changes.running().isEmpty()
                && changes.nodes().isEmpty()
                && changes.devices().isEmpty()
                && changes.queues().isEmpty()
                && changes.removedQueues().isEmpty()
                && changes.recent().isEmpty();
    }
}
