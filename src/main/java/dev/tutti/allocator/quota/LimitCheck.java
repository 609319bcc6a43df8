package dev.tutti.allocator.quota;

import dev.tutti.allocator.Plan;
import dev.tutti.allocator.QueueShares;
import dev.tutti.allocator.RunningBook;
import dev.tutti.allocator.RunningJob;
import dev.tutti.allocator.board.Layout;
import dev.tutti.allocator.fit.Request;
import dev.tutti.allocator.fit.Room;
import dev.tutti.model.QueueId;
import dev.tutti.model.life.ReasonCode;
import dev.tutti.model.queue.QueueLimits;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * How many jobs may run in each queue and all below it, of all users and of each one, how many GPUs each user may hold, and how
 * many whole nodes all may; counted on as jobs start. A job runs while it holds anything: it frees its place only when the last of it has left.
 */
public final class LimitCheck {

    private final ToIntFunction<QueueId> numberOf;
    private final Layout layout;
    private final WholeNodes nodes;
    private QueueShares.Share[] queues = {};
    private int[] parent = {};
    private boolean areAny;
    private boolean areGpus;
    /** For each queue whether one above it has limits that keep some of it back, and for which other leaves count too. */
    private boolean[] isShared = {};

    private boolean areShared;
    /** What the book says. */
    private Counts held = new Counts(0);
    /** The same, and what was counted since. */
    private Counts now = held;

    /** As if nobody ran. */
    private Counts nobody = held;

    private @Nullable RunningBook book;
    private long changes = -1;

    LimitCheck(ToIntFunction<QueueId> numberOf, Layout layout) {
        this.numberOf = numberOf;
        this.layout = layout;
        nodes = new WholeNodes(layout);
    }

    /**
     * A limit that leaves too little.
     *
     * @param resource what is limited: jobs that run, GPUs, or whole nodes
     * @param wanted how much of it a job needs
     * @param held how much is held
     * @param flavor of which flavor; empty for all together
     */
    public record Met(
            ReasonCode code, LimitOf resource, String queue, long limit, long held, long wanted, String flavor) {

        Met(ReasonCode code, LimitOf resource, String queue, long limit, long held, long wanted) {
            this(code, resource, queue, limit, held, wanted, "");
        }

        public long left() {
            return Math.max(0, limit - held);
        }
    }

    private record OfUser(int queue, String user) {}

    private static final class Counts {
        final int[] jobs;
        final Map<OfUser, Integer> ofUsers = new HashMap<>();
        final Map<OfUser, Long> gpus = new HashMap<>();

        Counts(int queues) {
            jobs = new int[queues];
        }

        Counts copy() {
            Counts copy = new Counts(jobs.length);
            System.arraycopy(jobs, 0, copy.jobs, 0, jobs.length);
            copy.ofUsers.putAll(ofUsers);
            copy.gpus.putAll(gpus);
            return copy;
        }

        boolean isSameAs(Counts other) {
            return Arrays.equals(jobs, other.jobs) && ofUsers.equals(other.ofUsers) && gpus.equals(other.gpus);
        }
    }

    /** Limits and the tree are now as given. Before the first decision begins nobody holds anything. */
    void follow(QueueShares.Share[] shares, int[] parents) {
        queues = shares;
        parent = parents;
        nodes.follow(shares, parents);
        areAny = Arrays.stream(shares).anyMatch(share -> share.rules().limits().ofWhatRuns());
        areGpus = Arrays.stream(shares).anyMatch(share -> share.rules().limits().userMaxGpuMilli() != null);
        isShared = new boolean[shares.length];
        for (int q = 0; q < shares.length; q++) {
            for (int above = parents[q]; areAny && above >= 0; above = parents[above]) {
                isShared[q] |= limits(above).ofUsers()
                        || !limits(above).maxWholeNodes().isEmpty();
            }
        }
        areShared = !Arrays.equals(isShared, new boolean[shares.length]);
        if (held.jobs.length != shares.length) {
            nobody = new Counts(shares.length);
            held = nobody;
            now = held.copy();
        }
        changes = -1;
    }

    /**
     * A decision begins: nothing of it has started.
     *
     * @return whether other jobs hold something than at the decision before, where that counts
     */
    public boolean begin(RunningBook running) {
        if (running == book && running.changes() == changes) {
            now = held.copy();
            nodes.reset();
            return false;
        }
        boolean isFirst = book == null;
        book = running;
        changes = running.changes();
        Counts before = held;
        now = new Counts(queues.length);
        nodes.clear();
        if (areAny) {
            for (RunningJob job : running.jobs()) {
                Account account = new Account(numberOf.applyAsInt(job.queue()), job.lane(), job.user());
                count(account, 1);
                if (areGpus || nodes.areAny()) {
                    hold(account, job);
                }
            }
        }
        held = now.copy();
        boolean areSameNodes = nodes.settle();
        return !isFirst && !(held.isSameAs(before) && areSameNodes);
    }

    private void hold(Account account, RunningJob job) {
        for (Plan.PodPlacement member : job.members()) {
            hold(
                    account,
                    layout.flavorOf(member.flavor()),
                    (long) member.devices().size() * member.milliPerDevice());
        }
    }

    /** A decision begins, on what the book of another says. */
    public void beginAs(LimitCheck other) {
        held = other.held;
        now = held.copy();
        nodes.beginAs(other.nodes);
    }

    /** Whether starts elsewhere may bring users of a queue to a limit. */
    boolean isShared(int queue) {
        return isShared[queue];
    }

    boolean areShared() {
        return areShared;
    }

    /** Whether a job may start beside those that hold something. */
    public boolean mayStart(Account account) {
        return met(account) == null;
    }

    /** The limit that keeps a job from starting: of a queue before that of a user, the nearest first; null for none. */
    public @Nullable Met met(Account account) {
        return first(account, now);
    }

    /** The same of what it needs at the least. */
    public @Nullable Met met(Account account, @Nullable Request request) {
        Met met = met(account);
        if (met == null && request != null && areAny) {
            met = tooManyGpus(account, request, now);
            met = met == null ? nodes.met(account.queue(), request) : met;
        }
        return met;
    }

    /** The limit of whole nodes that leaves too little under some choice of flavors, of the one that lacks least. */
    public @Nullable Met lack(Account account, Request request) {
        return nodes.lack(account.queue(), request);
    }

    /** The same if nobody held anything. */
    public @Nullable Met lackIdle(int queue, Request request) {
        return nodes.lackIdle(queue, request);
    }

    /**
     * Those of the flavors of which it may hold whole nodes enough to start.
     *
     * @param flavors those that it asks for
     */
    public boolean[] open(Account account, Request request, boolean[] flavors) {
        return nodes.open(account.queue(), request, flavors);
    }

    /** The same if nobody ran. */
    public @Nullable Met never(Account account, @Nullable Request request) {
        Met met = first(account, nobody);
        if (met == null && request != null && areAny) {
            met = tooManyGpus(account, request, nobody);
            met = met == null ? nodes.never(account.queue(), request) : met;
        }
        return met;
    }

    /** The limit of GPUs of its user that is too little for a job, the nearest first; null for none. */
    private @Nullable Met tooManyGpus(Account account, Request request, Counts counts) {
        long wanted = areGpus ? request.leastGpus() : 0;
        for (int q = areGpus && wanted > 0 ? account.queue() : -1; q >= 0; q = parent[q]) {
            Long limit = limits(q).userMaxGpuMilli();
            long held = counts.gpus.getOrDefault(new OfUser(q, account.user()), 0L);
            if (limit != null && held + wanted > limit) {
                return new Met(ReasonCode.USER_LIMIT, LimitOf.GPUS, queues[q].path(), limit, held, wanted);
            }
        }
        return null;
    }

    /** Takes from the room what its queue and its user may not hold. */
    void bind(Room room, Account account) {
        nodes.bind(room, account.queue());
        long left = Room.UNLIMITED;
        for (int q = areGpus ? account.queue() : -1; q >= 0; q = parent[q]) {
            Long limit = limits(q).userMaxGpuMilli();
            if (limit != null) {
                long held = now.gpus.getOrDefault(new OfUser(q, account.user()), 0L);
                left = Math.min(left, Math.max(0, limit - held));
            }
        }
        if (left != Room.UNLIMITED) {
            room.limitGpus(left);
        }
    }

    /** Takes from the room what could not be held in the queue if nobody held anything. */
    void bindIdle(Room room, int queue) {
        nodes.bindIdle(room, queue);
    }

    private @Nullable Met first(Account account, Counts counts) {
        if (!areAny) {
            return null;
        }
        for (int q = account.queue(); q >= 0; q = parent[q]) {
            Integer limit = limits(q).maxRunningJobs();
            if (limit != null && counts.jobs[q] >= limit) {
                return new Met(ReasonCode.RUNNING_JOBS_LIMIT, LimitOf.JOBS, queues[q].path(), limit, counts.jobs[q], 1);
            }
        }
        for (int q = account.queue(); q >= 0; q = parent[q]) {
            Integer limit = limits(q).userMaxRunningJobs();
            int running = counts.ofUsers.getOrDefault(new OfUser(q, account.user()), 0);
            if (limit != null && running >= limit) {
                return new Met(ReasonCode.USER_LIMIT, LimitOf.JOBS, queues[q].path(), limit, running, 1);
            }
        }
        return null;
    }

    private QueueLimits limits(int queue) {
        return queues[queue].rules().limits();
    }

    /** Counts GPUs that a pod takes, or, below 0, gives back. */
    void hold(Account account, int flavor, long gpuMilli) {
        nodes.hold(account.queue(), flavor, gpuMilli);
        for (int q = areGpus && gpuMilli != 0 ? account.queue() : -1; q >= 0; q = parent[q]) {
            if (limits(q).userMaxGpuMilli() != null) {
                now.gpus.merge(new OfUser(q, account.user()), gpuMilli, Long::sum);
            }
        }
    }

    /** Counts jobs that start, or, below 0, that hold nothing any more. */
    public void count(Account account, int jobs) {
        for (int q = areAny ? account.queue() : -1; q >= 0; q = parent[q]) {
            now.jobs[q] += jobs;
            if (limits(q).userMaxRunningJobs() != null) {
                now.ofUsers.merge(new OfUser(q, account.user()), jobs, Integer::sum);
            }
        }
    }
}
