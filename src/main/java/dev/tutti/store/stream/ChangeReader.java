package dev.tutti.store.stream;

import dev.tutti.allocator.Fallback;
import dev.tutti.allocator.QueueShares;
import dev.tutti.allocator.RunningJob;
import dev.tutti.allocator.WaitingJob;
import dev.tutti.control.view.ChangeFeed.Changes;
import dev.tutti.control.view.ChangeFeed.DeviceRow;
import dev.tutti.control.view.ChangeFeed.NicRow;
import dev.tutti.control.view.ChangeFeed.NodeRow;
import dev.tutti.control.view.ChangeFeed.RecentJob;
import dev.tutti.control.view.LaneRow;
import dev.tutti.control.view.VictimRules;
import dev.tutti.model.ClusterId;
import dev.tutti.model.JobId;
import dev.tutti.model.NodeId;
import dev.tutti.model.QueueId;
import dev.tutti.model.fleet.NodeTraits;
import dev.tutti.model.job.JobSpec;
import dev.tutti.model.job.Lane;
import dev.tutti.model.job.PodSet;
import dev.tutti.model.job.TopologyWish;
import dev.tutti.model.life.Reason;
import dev.tutti.model.queue.PastShare;
import dev.tutti.model.queue.QueueLimits;
import dev.tutti.model.queue.QueueRules;
import dev.tutti.store.Json;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes changes of the rows of {@link ChangeSql}. A job whose stored spec cannot be read is told apart, with a line in
 * the log, so that it never stops the others (house rule R10).
 */
final class ChangeReader {

    private static final Logger LOG = LoggerFactory.getLogger(ChangeReader.class);

    /** Values of this reading by their text: thousands of jobs are alike, and each text is parsed once. */
    private final Map<String, List<PodSet>> podSets = new HashMap<>();

    private final Map<String, String> words = new HashMap<>();
    private final Map<String, TopologyWish> topologies = new HashMap<>();
    private final Map<String, Reason> reasons = new HashMap<>();
    private final List<WaitingJob> waiting = new ArrayList<>();
    private final List<JobId> settled = new ArrayList<>();
    private final List<JobId> unreadable = new ArrayList<>();
    private final List<NodeRow> nodes = new ArrayList<>();
    private final Map<NodeId, List<DeviceRow>> devices = new HashMap<>();
    private final Map<QueueId, QueueShares.Share> queues = new HashMap<>();
    private final List<QueueId> removedQueues = new ArrayList<>();
    private final List<RecentJob> recent = new ArrayList<>();
    private Map<Lane, LaneRow> lanes = Map.of();
    private String cursor = "";
    private long nowMicros;

    private final RunningReader running;

    private ChangeReader(VictimRules victims) {
        this.running = new RunningReader(victims);
    }

    static Changes read(ResultSet rows, VictimRules victims) throws SQLException {
        ChangeReader reader = new ChangeReader(victims);
        while (rows.next()) {
            reader.take(rows);
        }
        return reader.changes();
    }

    private void take(ResultSet row) throws SQLException {
        switch (row.getInt("kind")) {
            case ChangeSql.HEAD -> {
                nowMicros = row.getLong("id");
                cursor = new ChangeCursor(row.getString("t1"), nowMicros).toString();
                lanes = LaneRows.read(row.getString("t2"));
            }
            case ChangeSql.JOB -> takeJob(row);
            case ChangeSql.NODE -> takeNode(row);
            case ChangeSql.DEVICE ->
                devices.computeIfAbsent(new NodeId(row.getLong("n1")), node -> new ArrayList<>())
                        .add(device(row));
            case ChangeSql.QUEUE -> takeQueue(row);
            case ChangeSql.RECENT -> takeRecent(row);
            case ChangeSql.RUNNING -> running.takeJob(row);
            case ChangeSql.MEMBER -> running.takeMember(row);
            default -> throw new IllegalStateException("a row of kind " + row.getInt("kind"));
        }
    }

    private void takeJob(ResultSet row) throws SQLException {
        JobId job = new JobId(row.getObject("job", UUID.class));
        if (!row.getBoolean("yes")) {
            settled.add(job);
            return;
        }
        try {
            waiting.add(waiting(job, row));
        } catch (RuntimeException e) {
            LOG.error("the stored spec of job {} cannot be read", job, e);
            settled.add(job);
            unreadable.add(job);
        }
    }

    private void takeRecent(ResultSet row) throws SQLException {
        JobId job = new JobId(row.getObject("job", UUID.class));
        try {
            recent.add(new RecentJob(job, row.getLong("n4"), podSets(row.getString("t2"))));
        } catch (RuntimeException e) {
            LOG.warn("the stored spec of job {} cannot be read: {}", job, e.getMessage());
        }
    }

    private List<PodSet> podSets(String text) {
        return podSets.computeIfAbsent(text, unread -> {
            List<PodSet> sets = List.of(Json.read(unread, PodSet[].class));
            if (sets.isEmpty()) {
                throw new IllegalStateException("no pod sets");
            }
            return sets;
        });
    }

    private WaitingJob waiting(JobId job, ResultSet row) throws SQLException {
        String reason = row.getString("t3");
        List<PodSet> sets = podSets(row.getString("t2"));
        TopologyWish topology = Objects.requireNonNull(
                topologies.computeIfAbsent(row.getString("t4"), text -> Json.read(text, TopologyWish.class)));
        JobSpec spec = StoredSpec.check(row.getString("t5"), sets, topology);
        return new WaitingJob(
                job,
                row.getLong("n1"),
                new QueueId(row.getLong("n2")),
                Lane.valueOf(row.getString("t1").toUpperCase(Locale.ROOT)),
                row.getInt("n3"),
                row.getLong("n4"),
                row.getLong("n5"),
                row.getLong("n6"),
                sets,
                topology,
                reason == null ? null : reasons.computeIfAbsent(reason, text -> Json.read(text, Reason.class)),
                row.getLong("n8"),
                shared(row.getString("t7")),
                null,
                new Fallback(row.getLong("n7"), spec.limits().fallbackAfterSeconds()));
    }

    private void takeNode(ResultSet row) throws SQLException {
        NodeId id = new NodeId(row.getLong("id"));
        devices.computeIfAbsent(id, node -> new ArrayList<>());
        nodes.add(new NodeRow(
                id,
                new ClusterId(row.getLong("n1")),
                row.getString("t4"),
                row.getString("t1"),
                row.getString("t2"),
                List.of(Json.read(row.getString("t3"), String[].class)),
                traits(row.getString("t5")),
                row.getBoolean("yes"),
                row.getLong("n2"),
                row.getBoolean("no"),
                row.getLong("n3"),
                row.getLong("n4"),
                row.getInt("n5"),
                row.getLong("n6"),
                row.getLong("n7"),
                row.getInt("n8"),
                nics(row.getString("t6"))));
    }

    private static List<NicRow> nics(@Nullable String json) {
        return json == null ? List.of() : List.of(Json.read(json, NicRow[].class));
    }

    /** Thousands of nodes have the same words in their labels: each is kept once. */
    private NodeTraits traits(String json) {
        NodeTraits read = Json.read(json, NodeTraits.class);
        Map<String, String> labels = new HashMap<>();
        read.labels().forEach((key, value) -> labels.put(shared(key), shared(value)));
        return new NodeTraits(labels, read.taints());
    }

    private String shared(String word) {
        return words.computeIfAbsent(word, fresh -> fresh);
    }

    private DeviceRow device(ResultSet row) throws SQLException {
        String layout = row.getString("t1");
        return new DeviceRow(
                row.getLong("id"),
                row.getInt("n2"),
                row.getInt("n3"),
                row.getBoolean("yes"),
                row.getInt("n4"),
                layout == null ? null : shared(layout),
                row.getInt("n5"),
                shared(row.getString("t2")));
    }

    private void takeQueue(ResultSet row) throws SQLException {
        QueueId id = new QueueId(row.getLong("id"));
        if (row.getBoolean("no")) {
            removedQueues.add(id);
            return;
        }
        long parent = row.getLong("n1");
        queues.put(
                id,
                new QueueShares.Share(
                        row.getString("t3"),
                        parent == 0 ? null : new QueueId(parent),
                        new QueueRules(
                                row.getBoolean("yes"),
                                row.getInt("n4") == 1,
                                row.getInt("n3") == 1,
                                row.getInt("n2"),
                                new QueueLimits(
                                        null,
                                        null,
                                        number(row, "n5"),
                                        number(row, "n6"),
                                        row.getObject("n10", Long.class),
                                        QuotaRows.wholeNodes(row.getString("t4")))),
                        QuotaRows.quotas(row.getString("t1")),
                        QuotaRows.used(row.getString("t2")),
                        new PastShare(row.getLong("n7"), row.getLong("n8"), row.getLong("n9"))));
    }

    private static @Nullable Integer number(ResultSet row, String column) throws SQLException {
        Long number = row.getObject(column, Long.class);
        return number == null ? null : number.intValue();
    }

    private Changes changes() {
        devices.values().forEach(list -> list.sort(Comparator.comparingInt(DeviceRow::index)));
        List<RunningJob> live = running.jobs();
        return new Changes(
                cursor,
                nowMicros,
                waiting,
                settled,
                live,
                nodes,
                devices,
                queues,
                removedQueues,
                recent,
                running.growing(live),
                lanes,
                unreadable);
    }
}
