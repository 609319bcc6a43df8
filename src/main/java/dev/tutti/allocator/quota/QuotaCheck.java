package dev.tutti.allocator.quota;

import dev.tutti.allocator.QueueShares;
import dev.tutti.allocator.board.Layout;
import dev.tutti.allocator.fit.Request;
import dev.tutti.allocator.fit.Resource;
import dev.tutti.allocator.fit.Room;
import dev.tutti.model.QueueId;
import dev.tutti.model.job.Lane;
import dev.tutti.model.queue.Quota;
import dev.tutti.model.queue.QuotaKey;
import dev.tutti.model.queue.QuotaResource;
import dev.tutti.model.queue.Use;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/** Quota of every queue, flavor by flavor, counted up as jobs are placed; and which queues are held. */
public final class QuotaCheck {

    private final Layout layout;
    private final Map<QueueId, Integer> numbers = new HashMap<>();
    private QueueShares.Share[] queues = {};
    private int[] parent = {};
    private QuotaTree now = new QuotaTree(parent, 0);
    /** As if no job ran; other use leaves it as it is. */
    private QuotaTree idle = now;

    private FairShare shares = new FairShare(parent, parent, new long[0]);

    private QueueShares current;
    private final LaneCheck lanes;
    private final LimitCheck limits;

    public QuotaCheck(QueueShares queues, Layout layout) {
        this.layout = layout;
        limits = new LimitCheck(this::numberOf, layout);
        queues.queues().keySet().stream().sorted().forEach(id -> numbers.put(id, numbers.size()));
        current = queues;
        lanes = new LaneCheck(queues.lanes());
        read(queues);
        idle = tree(false);
    }

    /** Whether this knows exactly these queues, so that {@link #follow} can take in what changed about them. */
    public boolean knows(QueueShares queues) {
        return queues == current || numbers.keySet().equals(queues.queues().keySet());
    }

    /**
     * Quota and use are now as given; what was taken in between is forgotten.
     *
     * @return whether some quota, rule or place in the tree differs, and not only what is in use
     */
    public boolean follow(QueueShares next) {
        boolean differs = next != current
                && (LaneCheck.differ(current.lanes(), next.lanes())
                        || next.queues().entrySet().stream()
                                .anyMatch(entry -> differ(queues[numberOf(entry.getKey())], entry.getValue())));
        current = next;
        read(next);
        if (differs) {
            idle = tree(false);
        }
        return differs;
    }

    private static boolean differ(QueueShares.Share one, QueueShares.Share other) {
        return !one.rules().equals(other.rules())
                || !one.quotas().equals(other.quotas())
                || !Objects.equals(one.parent(), other.parent());
    }

    private void read(QueueShares given) {
        this.queues = new QueueShares.Share[numbers.size()];
        parent = new int[numbers.size()];
        given.queues().forEach((id, share) -> {
            int q = numberOf(id);
            this.queues[q] = share;
            parent[q] = share.parent() == null ? -1 : numberOf(share.parent());
        });
        now = tree(true);
        shares = fairShare();
        limits.follow(queues, parent);
    }

    private QuotaTree tree(boolean withUse) {
        QuotaTree tree = new QuotaTree(parent, columns());
        for (int q = 0; q < queues.length; q++) {
            int queue = q;
            queues[q].quotas().forEach((key, quota) -> limit(tree, queue, key, quota));
            if (withUse) {
                queues[q].used().forEach((key, use) -> use(tree, queue, key, use));
            }
        }
        tree.settle();
        return tree;
    }

    private FairShare fairShare() {
        int[] weight = Arrays.stream(queues)
                .mapToInt(queue -> queue.rules().fairShareWeight())
                .toArray();
        FairShare fair = new FairShare(parent, weight, capacity());
        for (int q = 0; q < queues.length; q++) {
            int queue = q;
            for (int c = 0; c < columns(); c++) {
                fair.limit(q, c, now.promised(q, c));
            }
            fair.remember(q, queues[q].past());
            queues[q].used().forEach((key, use) -> {
                if (column(key) >= 0) {
                    fair.use(queue, column(key), use.counted(), use.red());
                }
            });
        }
        return fair;
    }

    private void limit(QuotaTree tree, int queue, QuotaKey key, Quota quota) {
        int column = column(key);
        if (column >= 0) {
            long borrowing = quota.borrowingLimit() == null ? QuotaTree.UNLIMITED : quota.borrowingLimit();
            tree.limit(queue, column, quota.nominal(), borrowing, quota.kept());
        }
    }

    private void use(QuotaTree tree, int queue, QuotaKey key, Use use) {
        int column = column(key);
        if (column >= 0) {
            tree.use(queue, column, use.green(), use.counted());
        }
    }

    private int columns() {
        return Room.RESOURCES.size() * layout.flavors();
    }

    /** Flavors of one resource stand together; -1 for a flavor that no node has. */
    private int column(QuotaKey key) {
        int flavor = layout.flavorOf(key.flavor());
        return flavor < 0 ? -1 : column(resource(key.resource()), flavor);
    }

    private int column(Resource resource, int flavor) {
        return Room.RESOURCES.indexOf(resource) * layout.flavors() + flavor;
    }

    private static Resource resource(QuotaResource resource) {
        return switch (resource) {
            case GPU_MILLI -> Resource.GPUS;
            case CPU_MILLI -> Resource.CPU;
            case MEMORY_MIB -> Resource.MEMORY;
        };
    }

    /** All GPUs there are; of CPU and memory, which count only where there are quotas of them, all that is promised. */
    private long[] capacity() {
        long[] capacity = new long[columns()];
        long[] gpus = layout.milliOf();
        for (int c = 0; c < capacity.length; c++) {
            capacity[c] = c < gpus.length ? gpus[c] : now.promisedInAll(c);
        }
        return capacity;
    }

    /** Number of the queue here; -1 when it is unknown. */
    public int numberOf(QueueId queue) {
        return numbers.getOrDefault(queue, -1);
    }

    /** Whether an operator holds the queue or one above it. */
    public boolean isHeld(int queue) {
        for (int q = queue; q >= 0; q = parent[q]) {
            if (queues[q].rules().held()) {
                return true;
            }
        }
        return false;
    }

    /** What the rules of the lanes allow. */
    public LaneCheck lanes() {
        return lanes;
    }

    /** What may run by limits, and does. */
    public LimitCheck runs() {
        return limits;
    }

    /** Queues below one with limits that keep some of a queue back, and for which other queues count too. */
    public Set<QueueId> queuesWithSharedLimits() {
        return limits.areShared()
                ? numbers.entrySet().stream()
                        .filter(entry -> limits.isShared(entry.getValue()))
                        .map(Map.Entry::getKey)
                        .collect(Collectors.toSet())
                : Set.of();
    }

    /** What a job of this account may still take by quota and by limits; never below 0. */
    public Room room(Account account) {
        Room room = roomByQuota(account);
        limits.bind(room, account);
        return room;
    }

    /** The same by quota alone. */
    public Room roomByQuota(Account account) {
        return room(now, account.queue(), account.lane());
    }

    /** The same for a job that is to start; less than nothing when as many run as may. */
    public Room roomToStart(Account account) {
        return limits.mayStart(account) ? room(account) : Room.none(layout.flavors());
    }

    /** What is left of each quota of the queue's own, below 0 where it claims more; without limit where it has none. */
    public Room unclaimed(int queue) {
        return unclaimed(now, queue);
    }

    /** The same if no job ran. */
    public Room promised(int queue) {
        return unclaimed(idle, queue);
    }

    private Room unclaimed(QuotaTree tree, int queue) {
        Room room = Room.unlimited(layout.flavors());
        for (Resource resource : Room.RESOURCES) {
            for (int f = 0; f < layout.flavors(); f++) {
                long left = tree.unclaimed(queue, column(resource, f));
                if (left != QuotaTree.UNLIMITED) {
                    room.limit(resource, f, left);
                }
            }
        }
        return room;
    }

    /** What a job of this queue and lane could take of each flavor if no other job ran. */
    public Room limits(int queue, Lane lane) {
        Room room = room(idle, queue, lane);
        limits.bindIdle(room, queue);
        return room;
    }

    private Room room(QuotaTree tree, int queue, Lane lane) {
        Room room = Room.unlimited(layout.flavors());
        for (Resource resource : Room.RESOURCES) {
            for (int f = 0; f < layout.flavors(); f++) {
                long left = tree.room(queue, lane, column(resource, f));
                if (left != QuotaTree.UNLIMITED) {
                    room.limit(resource, f, left);
                }
            }
        }
        return room;
    }

    /** Counts what was placed, on the queue and all above it: GPUs and CPU in thousandths, memory in MiB. */
    public void take(Account account, int flavor, long gpuMilli, long cpuMilli, long memoryMib) {
        take(account, column(Resource.GPUS, flavor), gpuMilli);
        take(account, column(Resource.CPU, flavor), cpuMilli);
        take(account, column(Resource.MEMORY, flavor), memoryMib);
        limits.hold(account, flavor, gpuMilli);
    }

    /** The opposite of {@link #take}: the job that held it holds it no longer. */
    public void give(Account account, int flavor, long gpuMilli, long cpuMilli, long memoryMib) {
        take(account, flavor, -gpuMilli, -cpuMilli, -memoryMib);
    }

    private void take(Account account, int column, long amount) {
        if (amount != 0) {
            now.take(account.queue(), account.lane(), column, amount);
            shares.take(account.queue(), account.lane(), column, amount);
        }
    }

    /**
     * Counts what a job will take that starts later, on the queue and all above it, but not yet as its queue's share; below 0
     * takes back what was counted.
     */
    public void promise(Account account, int flavor, long gpuMilli, long cpuMilli, long memoryMib) {
        now.take(account.queue(), account.lane(), column(Resource.GPUS, flavor), gpuMilli);
        now.take(account.queue(), account.lane(), column(Resource.CPU, flavor), cpuMilli);
        now.take(account.queue(), account.lane(), column(Resource.MEMORY, flavor), memoryMib);
        limits.hold(account, flavor, gpuMilli);
    }

    /**
     * Whether a queue claims more of a flavor than it was promised, of something that the job of another queue needs: counted
     * below the first queue that stands above both.
     */
    public boolean isOverdrawn(int queue, int other, int flavor, Request request) {
        return Room.RESOURCES.stream()
                .anyMatch(resource ->
                        request.wants(resource) && now.overdraft(queue, other, column(resource, flavor)) > 0);
    }

    /** GPUs of a flavor that a queue claims above what it was promised, in milli-GPU, counted in the same way. */
    public long gpuOverdraft(int queue, int other, int flavor) {
        return now.overdraft(queue, other, column(Resource.GPUS, flavor));
    }

    /**
     * Flavors on which the smallest start of the job stays within what its queue and those above it were promised, up to the
     * first that stands above {@code other} too.
     */
    public boolean[] promisedFlavors(int queue, int other, Request request) {
        boolean[] promised = new boolean[layout.flavors()];
        for (int[] choice : request.allChoices()) {
            if (isPromised(queue, other, request, choice)) {
                Arrays.stream(choice).forEach(flavor -> promised[flavor] = true);
            }
        }
        return promised;
    }

    /** Resources of which nobody has a quota are not promised, and are not asked about. */
    private boolean isPromised(int queue, int other, Request request, int[] choice) {
        boolean any = false;
        for (int flavor : choice) {
            for (Resource resource : Room.RESOURCES) {
                long need = request.leastOf(resource, flavor, choice);
                int column = column(resource, flavor);
                if (need > 0 && now.hasQuotas(column)) {
                    any = true;
                    if (!now.isPromised(queue, other, column, need)) {
                        return false;
                    }
                }
            }
        }
        return any;
    }

    /** The queue above; -1 at the top, and for a queue that is unknown. */
    public int parentOf(int queue) {
        return queue < 0 ? -1 : parent[queue];
    }

    /** Whether a job of the queue that cannot start keeps those behind it off the flavors it waits for. */
    public boolean isStrict(int queue) {
        return queue >= 0 && queues[queue].rules().strict();
    }

    /**
     * Below 0 when the first of two siblings is owed the next start of this lane, above 0 when the second is.
     *
     * @param flavorsOfOne flavors that its next job may run on
     */
    public int compareShares(int one, boolean[] flavorsOfOne, int other, boolean[] flavorsOfOther, Lane lane) {
        return one < 0 || other < 0 ? 0 : shares.compare(one, flavorsOfOne, other, flavorsOfOther, lane);
    }

    /** What the queue's jobs of a lane hold above its quota, or of red ones all, in millionths of all there is. */
    long shareOf(int queue, Lane lane) {
        return shares.dominant(queue, lane);
    }
}
