package dev.tutti.testkit.memory;

import dev.tutti.allocator.Fallback;
import dev.tutti.allocator.Growth;
import dev.tutti.allocator.Plan.PodPlacement;
import dev.tutti.allocator.QueueShares;
import dev.tutti.allocator.RunningJob;
import dev.tutti.allocator.WaitingJob;
import dev.tutti.control.Backoff;
import dev.tutti.control.view.ChangeFeed;
import dev.tutti.model.JobId;
import dev.tutti.model.NodeId;
import dev.tutti.model.QueueId;
import dev.tutti.model.job.DisruptionBudget;
import dev.tutti.model.job.JobSpec;
import dev.tutti.model.job.PodSet;
import dev.tutti.model.job.Preemption;
import dev.tutti.model.life.EndCause;
import dev.tutti.model.life.JobState;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

final class MemoryChangeFeed implements ChangeFeed {

    private final MemoryStore store;

    MemoryChangeFeed(MemoryStore store) {
        this.store = store;
    }

    @Override
    public Changes since(@Nullable String cursor) {
        long from = cursor == null ? 0 : Long.parseLong(cursor);
        List<WaitingJob> waiting = new ArrayList<>();
        List<JobId> settled = new ArrayList<>();
        List<RunningJob> running = new ArrayList<>();
        List<NodeRow> nodes = new ArrayList<>();
        Map<NodeId, List<DeviceRow>> devices = new HashMap<>();
        Map<QueueId, QueueShares.Share> queues = new HashMap<>();
        List<QueueId> removed = new ArrayList<>();
        List<RecentJob> recent = new ArrayList<>();
        List<WaitingJob> growing = new ArrayList<>();
        for (Rows.Stamped row : store.changes.tailMap(from, false).values()) {
            if (row instanceof Rows.Job job && job.state == JobState.QUEUED && !job.waits) {
                waiting.add(waiting(job));
            } else if (row instanceof Rows.Job job) {
                settled.add(job.id);
                if (job.state.isLive()) {
                    running.add(running(job));
                    WaitingJob more = growing(job);
                    if (more != null) {
                        growing.add(more);
                    }
                }
                recent.add(new RecentJob(job.id, job.submittedAt, job.spec.podSets()));
            } else if (row instanceof Rows.Node node) {
                nodes.add(node(node));
                devices.put(
                        node.id,
                        node.devices.stream().map(MemoryChangeFeed::device).toList());
            } else if (row instanceof Rows.Queue queue && queue.removed) {
                removed.add(new QueueId(queue.id));
            } else if (row instanceof Rows.Queue queue) {
                queues.put(new QueueId(queue.id), share(queue));
            }
        }
        String next = store.changes.isEmpty() ? "0" : Long.toString(store.changes.lastKey());
        return new Changes(
                next,
                store.now(),
                waiting,
                settled,
                running,
                nodes,
                devices,
                queues,
                removed,
                recent,
                growing,
                Map.of());
    }

    private static WaitingJob waiting(Rows.Job job) {
        return new WaitingJob(
                job.id,
                job.version,
                new QueueId(job.queue.id),
                job.spec.lane(),
                job.spec.priority(),
                job.submittedAt,
                job.notBefore,
                mayRunSeconds(job.spec),
                job.spec.podSets(),
                job.spec.topology(),
                job.reason,
                job.toldAt,
                job.user,
                null,
                new Fallback(
                        job.queuedSince - job.queuedMicros + job.parentsMicros,
                        job.spec.limits().fallbackAfterSeconds()));
    }

    /** Why members that came later did not start. */
    private static final Set<EndCause> NEVER_JOINED =
            EnumSet.of(EndCause.NOT_READY_IN_TIME, EndCause.REJECTED_BY_NODE, EndCause.NODE_LOST, EndCause.DEVICE_LOST);

    private @Nullable WaitingJob growing(Rows.Job job) {
        boolean ending = job.members.stream().anyMatch(member -> member.released && member.leaving == null);
        long notBefore = job.members.stream()
                .filter(member -> member.leaving != null && NEVER_JOINED.contains(member.leaving))
                .mapToLong(member ->
                        (member.released ? member.releasedAt : store.now()) + Backoff.OF_GROWTH.toNanos() / 1000)
                .reduce(job.notBefore, Math::max);
        int nextRank =
                job.members.stream().mapToInt(member -> member.rank).max().orElse(0) + 1;
        return job.state != JobState.RUNNING || ending
                ? null
                : Growth.of(running(job), job.spec.podSets(), job.spec.topology(), nextRank, notBefore);
    }

    private RunningJob running(Rows.Job job) {
        return new RunningJob(
                job.id,
                job.version,
                new QueueId(job.queue.id),
                job.spec.lane(),
                job.spec.priority(),
                job.submittedAt,
                job.allocatedAt,
                job.state == JobState.STOPPING ? 0 : endsBy(job),
                protectedUntil(job),
                job.state == JobState.STOPPING,
                beneficiaries(job),
                job.members.stream()
                        .filter(member -> !member.released)
                        .map(MemoryChangeFeed::member)
                        .toList(),
                job.members.stream()
                        .filter(member -> !member.released && member.leaving != null)
                        .map(member -> member.rank)
                        .collect(Collectors.toSet()),
                job.spec.podSets().stream().collect(Collectors.toMap(PodSet::name, PodSet::minCount)),
                askedFor(job),
                job.user,
                checkpointMicros(job.spec.preemption()));
    }

    private static Set<JobId> beneficiaries(Rows.Job job) {
        Stream<JobId> ofMembers = job.members.stream()
                .filter(member -> !member.released && member.leavingFor != null)
                .map(member -> member.leavingFor);
        return Stream.concat(Stream.ofNullable(job.stoppingFor), ofMembers).collect(Collectors.toSet());
    }

    /** Of those it was asked to make way for, those that have waited ever since. */
    private Set<JobId> askedFor(Rows.Job job) {
        return job.askedFor.entrySet().stream()
                .filter(asked -> {
                    Rows.Job beneficiary = store.jobs.get(asked.getKey());
                    return beneficiary.state == JobState.QUEUED && beneficiary.queuedSince <= asked.getValue();
                })
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
    }

    private static long protectedUntil(Rows.Job job) {
        DisruptionBudget budget = job.spec.preemption().budget();
        if (!job.spec.preemption().preemptible()) {
            return Long.MAX_VALUE;
        }
        return budget == null || job.evictedAt.size() < budget.evictions()
                ? 0
                : job.evictedAt.get(job.evictedAt.size() - budget.evictions()) + budget.perSeconds() * 1_000_000L;
    }

    private static long checkpointMicros(Preemption terms) {
        Integer seconds = terms.checkpointIntervalSeconds();
        return seconds == null ? 0 : seconds * 1_000_000L;
    }

    private static long endsBy(Rows.Job job) {
        Integer limit = job.spec.limits().maxRuntimeSeconds();
        Instant deadline = job.spec.limits().deadline();
        long began = job.state == JobState.RUNNING ? job.startedAt : job.allocatedAt;
        long byRunTime = limit == null ? Long.MAX_VALUE : began - job.ranMicros + limit * 1_000_000L;
        long byDeadline = deadline == null ? Long.MAX_VALUE : ChronoUnit.MICROS.between(Instant.EPOCH, deadline);
        long first = Math.min(byRunTime, byDeadline);
        return first == Long.MAX_VALUE ? 0 : first;
    }

    private static PodPlacement member(Rows.Allocation member) {
        return new PodPlacement(
                member.podSet,
                member.rank,
                member.node.id,
                member.flavor,
                member.devices.stream().map(device -> device.id).toList(),
                member.devices.isEmpty() ? 0 : member.deviceMilli,
                member.cpuMilli,
                member.memoryMib,
                member.mig,
                member.nics.stream().map(nics -> nics.id).toList());
    }

    private static long mayRunSeconds(JobSpec spec) {
        Integer limit = spec.limits().maxRuntimeSeconds();
        return limit == null ? 0 : limit + spec.graceSeconds();
    }

    private static NodeRow node(Rows.Node node) {
        return new NodeRow(
                node.id,
                node.cluster.id,
                node.cluster.name,
                node.name,
                node.flavor,
                node.domains,
                node.traits,
                node.isOpen(),
                node.closedUntil,
                node.gone,
                node.cpuMilli,
                node.memoryMib,
                node.podSlots,
                node.heldCpuMilli,
                node.heldMemoryMib,
                node.heldPods,
                node.nics.stream()
                        .filter(row -> row.count > 0)
                        .map(row -> new NicRow(row.id, row.resource, row.place, row.count, row.held))
                        .toList());
    }

    private static DeviceRow device(Rows.Device device) {
        return new DeviceRow(
                device.id,
                device.index,
                device.island,
                device.healthy,
                device.heldMilli,
                device.migLayout,
                device.heldUnits,
                device.place);
    }

    private static QueueShares.Share share(Rows.Queue queue) {
        Rows.Queue parent = queue.parent;
        return new QueueShares.Share(
                queue.path,
                parent == null ? null : new QueueId(parent.id),
                queue.rules,
                queue.quotas,
                queue.used,
                queue.past);
    }
}
