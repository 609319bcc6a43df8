package dev.tutti.testkit.memory;

import dev.tutti.control.BindTask;
import dev.tutti.model.AllocationId;
import dev.tutti.model.ClusterId;
import dev.tutti.model.JobId;
import dev.tutti.model.NodeId;
import dev.tutti.model.fleet.MigInstance;
import dev.tutti.model.fleet.NodeTraits;
import dev.tutti.model.job.JobSpec;
import dev.tutti.model.job.Lane;
import dev.tutti.model.job.StartAfter;
import dev.tutti.model.life.EndCause;
import dev.tutti.model.life.JobState;
import dev.tutti.model.life.MemberPhase;
import dev.tutti.model.life.Reason;
import dev.tutti.model.queue.PastShare;
import dev.tutti.model.queue.QueueRules;
import dev.tutti.model.queue.Quota;
import dev.tutti.model.queue.QuotaKey;
import dev.tutti.model.queue.Use;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The rows, as the schema has them. Times are microseconds since 1970; 0 stands for null. */
final class Rows {

    private Rows() {}

    /** What the change feed stamps. */
    static class Stamped {
        long change;
    }

    static final class Cluster {
        final ClusterId id;
        final String name;
        boolean reachable = true;

        Cluster(ClusterId id, String name) {
            this.id = id;
            this.name = name;
        }
    }

    static final class Node extends Stamped {
        final NodeId id;
        final Cluster cluster;
        final String name;
        final List<Device> devices = new ArrayList<>();
        final List<Nics> nics = new ArrayList<>();
        String uid = "";
        String bootId = "";
        String flavor = "";
        boolean ready;
        boolean schedulable;
        boolean gone;
        long readySince;
        int rejections;
        long closedUntil;
        List<String> domains = List.of();
        NodeTraits traits = NodeTraits.NONE;
        long cpuMilli;
        long memoryMib;
        int podSlots;
        long heldCpuMilli;
        long heldMemoryMib;
        int heldPods;

        Node(NodeId id, Cluster cluster, String name) {
            this.id = id;
            this.cluster = cluster;
            this.name = name;
        }

        boolean isOpen() {
            return ready && schedulable && !gone && cluster.reachable;
        }
    }

    static final class Device {
        final long id;
        final int index;
        final Node node;
        int island;
        String place = "";
        boolean healthy;
        int heldMilli;

        @Nullable
        String migLayout;

        /** Units that MIG instances hold, as bits. */
        int heldUnits;

        Device(long id, int index, Node node) {
            this.id = id;
            this.index = index;
            this.node = node;
        }
    }

    static final class Nics {
        final long id;
        final Node node;
        final String resource;
        final String place;
        int count;
        int held;

        Nics(long id, Node node, String resource, String place) {
            this.id = id;
            this.node = node;
            this.resource = resource;
            this.place = place;
        }
    }

    static final class Queue extends Stamped {
        final long id;
        final @Nullable Queue parent;
        final String path;
        boolean leaf = true;
        QueueRules rules = QueueRules.PLAIN;
        boolean removed;
        long version;
        PastShare past = PastShare.NONE;
        final Map<QuotaKey, Quota> quotas = new HashMap<>();
        /** With all queues below. */
        final Map<QuotaKey, Use> used = new HashMap<>();

        Queue(long id, @Nullable Queue parent, String path) {
            this.id = id;
            this.parent = parent;
            this.path = path;
        }

        /** Whether it is this queue or one below it. */
        boolean isIn(Queue other) {
            return this == other || parent != null && parent.isIn(other);
        }
    }

    static final class Job extends Stamped {
        final JobId id;
        JobSpec spec;
        final Queue queue;
        /** Who submitted it. */
        final String user;

        final long submittedAt;
        long version;
        JobState state = JobState.QUEUED;

        @Nullable
        EndCause cause;

        /** For whom it is stopping. */
        @Nullable
        JobId stoppingFor;

        /** For whom it or its members were asked to leave, and when last, in microseconds since 1970. */
        final Map<JobId, Long> askedFor = new HashMap<>();

        boolean suspend;
        List<Job> parents = List.of();
        /** Whether a parent keeps it from being considered. */
        boolean waits;

        @Nullable
        Reason reason;

        /** When the reason was written last, in words or numbers; 0 when nobody knows. */
        long toldAt;

        int attempt;
        int failures;
        long notBefore;
        int backOffs;
        long allocatedAt;
        long startedAt;
        long ranMicros;
        long queuedSince;
        long queuedMicros;
        long parentsMicros;
        /** When its evicted runs ended, the first one first. */
        final List<Long> evictedAt = new ArrayList<>();
        /** Members of the live or the last attempt, in rank order. */
        List<Allocation> members = List.of();

        Job(JobId id, JobSpec spec, Queue queue, String user, long submittedAt) {
            this.user = user;
            this.id = id;
            this.spec = spec;
            this.queue = queue;
            this.submittedAt = submittedAt;
        }
    }

    static final class Allocation {
        final AllocationId id;
        final Job job;
        final int attempt;
        final int rank;
        final String podSet;
        /** The lane the attempt started in. */
        final Lane lane;

        final Node node;
        final String flavor;
        final List<Device> devices;
        final int deviceMilli;
        final @Nullable MigInstance mig;
        final long cpuMilli;
        final long memoryMib;
        /** One for each NIC. */
        final List<Nics> nics;

        MemberPhase phase = MemberPhase.COMMITTED;

        @Nullable
        EndCause cause;

        @Nullable
        EndCause leaving;

        @Nullable
        JobId leavingFor;

        @Nullable
        String podUid;

        /** What it waited for; empty when it was called at once. */
        List<StartAfter> startAfter = List.of();

        long calledAt;
        long boundAt;
        long allocatedAt;
        long lostAt;
        long releasedAt;
        boolean released;

        Allocation(
                AllocationId id,
                Job job,
                int rank,
                String podSet,
                Node node,
                String flavor,
                List<Device> devices,
                int deviceMilli,
                @Nullable MigInstance mig,
                long cpuMilli,
                long memoryMib,
                List<Nics> nics) {
            this.id = id;
            this.job = job;
            this.attempt = job.attempt;
            this.rank = rank;
            this.podSet = podSet;
            this.lane = job.spec.lane();
            this.node = node;
            this.flavor = flavor;
            this.devices = List.copyOf(devices);
            this.deviceMilli = deviceMilli;
            this.mig = mig;
            this.cpuMilli = cpuMilli;
            this.memoryMib = memoryMib;
            this.nics = List.copyOf(nics);
        }

        long gpuMilli() {
            return (long) devices.size() * deviceMilli;
        }
    }

    static final class Task {
        final Allocation allocation;
        BindTask.Wish wish = BindTask.Wish.BIND;
        long generation = 1;
        boolean done;
        boolean mayHaveBound;
        int tries;
        long dueAt;
        long claimedUntil;
        long claimedTerm;
        long claimedGeneration;

        Task(Allocation allocation, long dueAt) {
            this.allocation = allocation;
            this.dueAt = dueAt;
        }
    }
}
