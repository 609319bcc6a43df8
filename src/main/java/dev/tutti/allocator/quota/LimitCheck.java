package dev.tutti.allocator.quota;

import dev.tutti.allocator.QueueShares;
import dev.tutti.allocator.RunningBook;
import dev.tutti.allocator.RunningJob;
import dev.tutti.model.QueueId;
import dev.tutti.model.life.ReasonCode;
import dev.tutti.model.queue.QueueLimits;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * How many jobs may run in each queue and all below it, of all users and of each one; counted on as jobs start. A job runs
 * while it holds anything: it frees its place only when the last of it has left.
 */
public final class LimitCheck {

    private final ToIntFunction<QueueId> numberOf;
    private QueueShares.Share[] queues = {};
    private int[] parent = {};
    private boolean areAny;
    /** What the book says. */
    private Counts held = new Counts(0);
    /** The same, and what was counted since. */
    private Counts now = held;

    private @Nullable RunningBook book;
    private long changes = -1;

    LimitCheck(ToIntFunction<QueueId> numberOf) {
        this.numberOf = numberOf;
    }

    /** A limit that is used up. */
    public record Met(ReasonCode code, String queue, int limit, int running) {}

    private record OfUser(int queue, String user) {}

    private static final class Counts {
        final int[] jobs;
        final Map<OfUser, Integer> ofUsers = new HashMap<>();

        Counts(int queues) {
            jobs = new int[queues];
        }

        Counts copy() {
            Counts copy = new Counts(jobs.length);
            System.arraycopy(jobs, 0, copy.jobs, 0, jobs.length);
            copy.ofUsers.putAll(ofUsers);
            return copy;
        }

        boolean isSameAs(Counts other) {
            return Arrays.equals(jobs, other.jobs) && ofUsers.equals(other.ofUsers);
        }
    }

    /** Limits and the tree are now as given. */
    void follow(QueueShares.Share[] shares, int[] parents) {
        queues = shares;
        parent = parents;
        areAny = Arrays.stream(shares)
                .map(share -> share.rules().limits())
                .anyMatch(limits -> limits.maxRunningJobs() != null || limits.userMaxRunningJobs() != null);
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
            return false;
        }
        book = running;
        changes = running.changes();
        Counts before = held;
        now = new Counts(queues.length);
        if (areAny) {
            for (RunningJob job : running.jobs()) {
                count(new Account(numberOf.applyAsInt(job.queue()), job.lane(), job.user()), 1);
            }
        }
        held = now.copy();
        return before.jobs.length == held.jobs.length && !held.isSameAs(before);
    }

    /** A decision begins, on what the book of another says. */
    public void beginAs(LimitCheck other) {
        held = other.held;
        now = held.copy();
    }

    /** Whether a job may start beside those that hold something. */
    public boolean mayStart(Account account) {
        return met(account) == null;
    }

    /** The limit that keeps a job from starting: of a queue before that of a user, the nearest first; null for none. */
    public @Nullable Met met(Account account) {
        return first(account, now);
    }

    /** The same if nobody ran. */
    public @Nullable Met never(Account account) {
        return first(account, new Counts(queues.length));
    }

    private @Nullable Met first(Account account, Counts counts) {
        if (!areAny) {
            return null;
        }
        for (int q = account.queue(); q >= 0; q = parent[q]) {
            Integer limit = limits(q).maxRunningJobs();
            if (limit != null && counts.jobs[q] >= limit) {
                return new Met(ReasonCode.RUNNING_JOBS_LIMIT, queues[q].path(), limit, counts.jobs[q]);
            }
        }
        for (int q = account.queue(); q >= 0; q = parent[q]) {
            Integer limit = limits(q).userMaxRunningJobs();
            int running = counts.ofUsers.getOrDefault(new OfUser(q, account.user()), 0);
            if (limit != null && running >= limit) {
                return new Met(ReasonCode.USER_LIMIT, queues[q].path(), limit, running);
            }
        }
        return null;
    }

    private QueueLimits limits(int queue) {
        return queues[queue].rules().limits();
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
