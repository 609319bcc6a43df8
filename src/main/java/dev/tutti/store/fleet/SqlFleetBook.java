package dev.tutti.store.fleet;

import dev.tutti.control.Actor;
import dev.tutti.control.Backoff;
import dev.tutti.control.FleetBook;
import dev.tutti.model.ClusterId;
import dev.tutti.model.NodeId;
import dev.tutti.model.fleet.NodeSighting;
import dev.tutti.store.Columns;
import dev.tutti.store.SqlErrors;
import dev.tutti.store.SqlTransactions;
import dev.tutti.store.stream.Journal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/**
 * The inventory in PostgreSQL. What is seen is first compared with what is stored, which writes nothing; only nodes
 * that differ are locked and written, some hundreds a transaction. A node the database will not have is left out with
 * a line in the log, so that it never stops the others (house rule R10).
 */
@Component
public final class SqlFleetBook implements FleetBook {

    private static final Logger LOG = LoggerFactory.getLogger(SqlFleetBook.class);
    private static final int NODES_PER_TRANSACTION = 500;

    private final SqlTransactions transactions;

    public SqlFleetBook(SqlTransactions transactions) {
        this.transactions = transactions;
    }

    @Override
    public ClusterId register(String name, String kind) {
        return transactions.write("a cluster", sql -> {
            sql.sql("INSERT INTO clusters (name, kind) VALUES (:name, :kind) ON CONFLICT (name) DO NOTHING")
                    .param("name", name)
                    .param("kind", kind)
                    .update();
            return new ClusterId(sql.sql("SELECT id FROM clusters WHERE name = :name")
                    .param("name", name)
                    .query(Long.class)
                    .single());
        });
    }

    @Override
    public void observe(ClusterId cluster, List<NodeSighting> nodes, List<List<String>> domains, Actor.Leader leader) {
        Map<String, Seen> byName = new LinkedHashMap<>();
        for (int i = 0; i < nodes.size(); i++) {
            byName.put(nodes.get(i).name(), new Seen(nodes.get(i), domains.get(i)));
        }
        List<Seen> seen = new ArrayList<>(byName.values());
        for (int from = 0; from < seen.size(); from += NODES_PER_TRANSACTION) {
            int to = Math.min(from + NODES_PER_TRANSACTION, seen.size());
            observe(cluster, seen.subList(from, to), leader);
        }
    }

    private void observe(ClusterId cluster, List<Seen> seen, Actor.Leader leader) {
        Set<String> differing;
        try {
            differing = transactions.read("the inventory", sql -> NodeCompare.differing(sql, cluster, seen));
        } catch (RuntimeException e) {
            alone(seen, e, half -> observe(cluster, half, leader));
            return;
        }
        List<Seen> changed =
                seen.stream().filter(one -> differing.contains(one.name())).toList();
        if (!changed.isEmpty()) {
            write(cluster, changed, leader);
        }
    }

    private void write(ClusterId cluster, List<Seen> changed, Actor.Leader leader) {
        try {
            transactions.write("nodes", leader, sql -> NodeWriter.write(sql, cluster, changed));
        } catch (RuntimeException e) {
            alone(changed, e, half -> write(cluster, half, leader));
        }
    }

    /** Halves them until the one that the database will not have is alone. */
    private static void alone(List<Seen> nodes, RuntimeException refusal, Consumer<List<Seen>> again) {
        if (!SqlErrors.isRefusal(refusal)) {
            throw refusal;
        }
        if (nodes.size() == 1) {
            LOG.error("node {} cannot be stored: {}", nodes.get(0).name(), SqlErrors.words(refusal));
            return;
        }
        int half = nodes.size() / 2;
        again.accept(nodes.subList(0, half));
        again.accept(nodes.subList(half, nodes.size()));
    }

    @Override
    public void retain(ClusterId cluster, Set<String> nodeNames, Actor.Leader leader) {
        transactions.write("a full list", leader, sql -> {
            List<String> missing = sql.sql("""
                            SELECT name FROM nodes
                            WHERE cluster_id = :cluster AND NOT gone AND name <> ALL (:names)""")
                    .param("cluster", cluster.value())
                    .param(
                            "names",
                            nodeNames.stream().filter(SqlFleetBook::isText).toArray(String[]::new))
                    .query(String.class)
                    .list();
            NodeWriter.markGone(sql, cluster, missing);
            return sql.sql("UPDATE clusters SET last_seen_at = now() WHERE id = :cluster")
                    .param("cluster", cluster.value())
                    .update();
        });
    }

    /** One with a zero character is no text to the database, and the name of no node there. */
    private static boolean isText(String name) {
        return name.indexOf('\0') < 0;
    }

    @Override
    public void reach(ClusterId cluster, boolean reachable, Actor.Leader leader) {
        boolean known = transactions.read(
                "a cluster",
                sql -> sql.sql("SELECT reachable FROM clusters WHERE id = :cluster")
                        .param("cluster", cluster.value())
                        .query(Boolean.class)
                        .single());
        if (known != reachable) {
            transactions.write("a cluster", leader, sql -> reach(sql, cluster, reachable));
        }
    }

    /** The nodes are touched, because the head query tells changes by node. */
    private static int reach(JdbcClient sql, ClusterId cluster, boolean reachable) {
        int changed = sql.sql("""
                        UPDATE clusters SET reachable = :reachable,
                            last_seen_at = CASE WHEN :reachable THEN now() ELSE last_seen_at END
                        WHERE id = :cluster AND reachable <> :reachable""")
                .param("cluster", cluster.value())
                .param("reachable", reachable)
                .update();
        if (changed == 1) {
            sql.sql("UPDATE nodes SET gone = gone WHERE cluster_id = :cluster")
                    .param("cluster", cluster.value())
                    .update();
            Journal journal = new Journal();
            journal.event("cluster.state", cluster.toString(), Map.of("reachable", reachable));
            journal.write(sql);
        }
        return changed;
    }

    @Override
    public void backOff(Collection<NodeId> nodes, Duration time, Actor.Leader leader) {
        if (!nodes.isEmpty()) {
            transactions.write("back-off of nodes", leader, sql -> backOff(sql, nodes, time));
        }
    }

    private static int backOff(JdbcClient sql, Collection<NodeId> nodes, Duration time) {
        List<Refuser> refusers = sql.sql("""
                        SELECT id, CASE WHEN closed_until <= now() - make_interval(secs => :forgiven)
                                   THEN 0 ELSE rejections END AS earlier
                        FROM nodes WHERE id = ANY (:nodes) ORDER BY id FOR NO KEY UPDATE""")
                .param("forgiven", Backoff.FORGIVEN_AFTER.toSeconds())
                .param("nodes", Columns.longs(nodes, NodeId::value))
                .query((row, n) -> new Refuser(row.getLong("id"), row.getInt("earlier")))
                .list();
        Journal journal = new Journal();
        refusers.forEach(one -> journal.event(
                "node.back-off",
                Long.toString(one.id()),
                Map.of(
                        "rejections",
                        one.earlier() + 1,
                        "closedSeconds",
                        Backoff.ofNode(time, one.earlier()).toSeconds())));
        journal.write(sql);
        return sql.sql("""
                        UPDATE nodes n SET rejections = u.rejections,
                            closed_until = GREATEST(n.closed_until, now() + u.closed_ms * interval '1 millisecond')
                        FROM unnest(:nodes::bigint[], :rejections::int[], :closed::bigint[])
                            AS u (id, rejections, closed_ms)
                        WHERE n.id = u.id""")
                .param("nodes", Columns.longs(refusers, Refuser::id))
                .param("rejections", Columns.ints(refusers, one -> one.earlier() + 1))
                .param(
                        "closed",
                        Columns.longs(
                                refusers,
                                one -> Backoff.ofNode(time, one.earlier()).toMillis()))
                .update();
    }

    private record Refuser(long id, int earlier) {}
}
