package dev.tutti.testkit.memory;

import dev.tutti.allocator.Plan;
import dev.tutti.control.Actor;
import dev.tutti.control.BindOutbox;
import dev.tutti.control.Dependencies;
import dev.tutti.control.Deposed;
import dev.tutti.control.FleetBook;
import dev.tutti.control.JobBook;
import dev.tutti.control.Leadership;
import dev.tutti.control.Ledger;
import dev.tutti.control.PastBook;
import dev.tutti.control.PlanId;
import dev.tutti.control.QueueBook;
import dev.tutti.control.Receipt;
import dev.tutti.control.view.ChangeFeed;
import dev.tutti.model.AllocationId;
import dev.tutti.model.ClusterId;
import dev.tutti.model.JobId;
import dev.tutti.model.NodeId;
import dev.tutti.model.queue.Quotas;
import dev.tutti.testkit.Truth;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** One database in memory. Every port call is one transaction: it happens whole or throws and changes nothing. */
public final class MemoryStore {

    final LongSupplier clock;
    final Map<ClusterId, Rows.Cluster> clusters = new TreeMap<>();
    final Map<NodeId, Rows.Node> nodes = new TreeMap<>();
    final Map<String, Rows.Node> nodesByName = new HashMap<>();
    final Map<Long, Rows.Device> devices = new HashMap<>();
    final Map<Long, Rows.Nics> nics = new HashMap<>();
    final Map<Long, Rows.Queue> queues = new TreeMap<>();
    final Map<JobId, Rows.Job> jobs = new LinkedHashMap<>();
    final Map<JobId, Rows.Job> live = new TreeMap<>();
    final Map<AllocationId, Rows.Allocation> allocations = new HashMap<>();
    final Map<AllocationId, Rows.Task> tasks = new HashMap<>();
    final Map<AllocationId, Rows.Task> openTasks = new TreeMap<>();
    /** What is planned for later. */
    List<Plan.Reservation> reservations = List.of();

    final Map<PlanId, Receipt> receipts = new HashMap<>();
    final Map<String, MemoryJobBook.Answer> answers = new HashMap<>();
    final TreeMap<Long, Rows.Stamped> changes = new TreeMap<>();
    final MemoryLeadership leadership;
    private long lastId;
    private long lastChange;

    /**
     * @param nowMicros the database's clock, in microseconds since 1970
     * @param leaseTime how long leadership is granted for
     */
    public MemoryStore(LongSupplier nowMicros, Duration leaseTime) {
        this.clock = nowMicros;
        this.leadership = new MemoryLeadership(nowMicros, leaseTime);
    }

    public ClusterId addCluster(String name) {
        Rows.Cluster cluster = new Rows.Cluster(new ClusterId(nextId()), name);
        clusters.put(cluster.id, cluster);
        return cluster.id;
    }

    /** Makes a queue; those above it must be there. */
    public long addQueue(String path, Quotas quotas) {
        int slash = path.lastIndexOf('/');
        Rows.Queue parent = slash < 0 ? null : queue(path.substring(0, slash));
        Rows.Queue queue = new Rows.Queue(nextId(), parent, path);
        queue.quotas.putAll(quotas.byKey());
        if (parent != null) {
            parent.leaf = false;
        }
        queues.put(queue.id, queue);
        stamp(queue);
        return queue.id;
    }

    public Ledger ledger() {
        return new MemoryLedger(this);
    }

    public BindOutbox outbox() {
        return new MemoryOutbox(this);
    }

    public Dependencies dependencies() {
        return new MemoryDependencies(this);
    }

    public ChangeFeed feed() {
        return new MemoryChangeFeed(this);
    }

    public FleetBook fleet() {
        return new MemoryFleetBook(this);
    }

    public QueueBook queues() {
        return new MemoryQueueBook(this);
    }

    public PastBook pasts() {
        return new MemoryPastBook(this);
    }

    public JobBook jobBook() {
        return new MemoryJobBook(this);
    }

    /** What the rows say. */
    public Truth truth() {
        return new MemoryTruth(this);
    }

    public Leadership leadership() {
        return leadership;
    }

    Rows.@Nullable Queue queue(String idOrPath) {
        return queues.values().stream()
                .filter(queue ->
                        queue.path.equals(idOrPath) || Long.toString(queue.id).equals(idOrPath))
                .findFirst()
                .orElse(null);
    }

    long nextId() {
        return ++lastId;
    }

    long now() {
        return clock.getAsLong();
    }

    void stamp(Rows.Stamped row) {
        changes.remove(row.change);
        row.change = ++lastChange;
        changes.put(row.change, row);
    }

    /** Every write made as leader: refused in any term but the one that rules (house rule R6). */
    void check(Actor actor) {
        if (actor instanceof Actor.Leader leader && leader.term() != leadership.term()) {
            throw new Deposed(leader.term());
        }
    }
}
