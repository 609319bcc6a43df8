package dev.tutti.store.fleet;

import dev.tutti.control.read.FleetQueries;
import dev.tutti.control.read.Page;
import dev.tutti.control.read.PageRequest;
import dev.tutti.model.fleet.TopologyLevels;
import dev.tutti.store.Cursors;
import dev.tutti.store.Pages;
import dev.tutti.store.SqlTransactions;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * The resource map for pages and lists. Free is what a pod could be given now: the rest of healthy devices on nodes that
 * are open. Devices of nodes that are gone are left out everywhere.
 */
@Component
public final class SqlFleetQueries implements FleetQueries {

    private final SqlTransactions transactions;
    private final TopologyLevels levels;

    public SqlFleetQueries(SqlTransactions transactions, TopologyLevels levels) {
        this.transactions = transactions;
        this.levels = levels;
    }

    @Override
    public List<ClusterView> clusters() {
        return transactions.read(
                "clusters",
                sql -> sql.sql(FleetSql.CLUSTERS).query(FleetViews::cluster).list());
    }

    @Override
    public Page<NodeView> nodes(NodeFilter filter, PageRequest page) {
        String list = "nodes/" + filter;
        List<String> after = Cursors.read(list, page.cursor());
        List<NodeView> rows = transactions.read(
                "nodes",
                sql -> sql.sql(FleetSql.NODES)
                        .param("cluster", filter.cluster())
                        .param("flavor", filter.flavor())
                        .param("state", filter.state())
                        .param("after", after == null ? 0 : Long.parseLong(after.get(0)))
                        .param("rows", Pages.rows(page))
                        .query((row, n) -> FleetViews.node(row, levels))
                        .list());
        return Pages.of(rows, page, last -> Cursors.write(list, last.id()));
    }

    @Override
    public Optional<NodeView> node(long id) {
        return transactions.read(
                "a node",
                sql -> sql.sql(FleetSql.ONE_NODE)
                        .param("id", id)
                        .query((row, n) -> FleetViews.node(row, levels))
                        .optional());
    }

    @Override
    public Page<GpuView> gpus(GpuFilter filter, PageRequest page) {
        String list = "gpus/" + filter;
        List<String> after = Cursors.read(list, page.cursor());
        List<GpuView> rows = transactions.read(
                "GPUs",
                sql -> sql.sql(FleetSql.GPUS)
                        .param("cluster", filter.cluster())
                        .param("flavor", filter.flavor())
                        .param("node", filter.node())
                        .param("free", filter.free())
                        .param("after", after == null ? 0 : Long.parseLong(after.get(0)))
                        .param("rows", Pages.rows(page))
                        .query(FleetViews::gpu)
                        .list());
        return Pages.of(rows, page, last -> Cursors.write(list, last.id()));
    }

    @Override
    public List<DomainView> topology(@Nullable String cluster) {
        return transactions.read(
                "topology",
                sql -> sql.sql(FleetSql.TOPOLOGY)
                        .param("cluster", cluster)
                        .param(
                                "levels",
                                levels.levels().stream()
                                        .map(TopologyLevels.Level::name)
                                        .toArray(String[]::new))
                        .query(FleetViews::domain)
                        .list());
    }

    @Override
    public List<FlavorView> flavors() {
        return transactions.read(
                "flavors",
                sql -> sql.sql(FleetSql.FLAVORS).query(FleetViews::flavor).list());
    }
}
