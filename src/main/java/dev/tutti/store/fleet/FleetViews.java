package dev.tutti.store.fleet;

import dev.tutti.control.read.FleetQueries.ClusterView;
import dev.tutti.control.read.FleetQueries.DomainView;
import dev.tutti.control.read.FleetQueries.FlavorView;
import dev.tutti.control.read.FleetQueries.GpuView;
import dev.tutti.control.read.FleetQueries.HeldInstance;
import dev.tutti.control.read.FleetQueries.NicView;
import dev.tutti.control.read.FleetQueries.NodeView;
import dev.tutti.model.fleet.Taint;
import dev.tutti.model.fleet.TopologyLevels;
import dev.tutti.store.Json;
import dev.tutti.store.Pages;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Makes views of the resource map of rows. */
final class FleetViews {

    private FleetViews() {}

    static ClusterView cluster(ResultSet row, int number) throws SQLException {
        return new ClusterView(
                row.getLong("id"),
                row.getString("name"),
                row.getString("kind"),
                row.getBoolean("reachable"),
                Pages.instant(row, "last_seen_at"),
                row.getLong("nodes"),
                row.getLong("gpus"),
                row.getLong("free"));
    }

    static NodeView node(ResultSet row, TopologyLevels levels) throws SQLException {
        return new NodeView(
                row.getLong("id"),
                row.getString("cluster"),
                row.getString("name"),
                row.getString("flavor"),
                row.getString("state"),
                domains(Json.read(row.getString("domains"), String[].class), levels),
                labels(row.getString("labels")),
                List.of(Json.read(row.getString("taints"), Taint[].class)),
                List.of(Json.read(row.getString("warnings"), String[].class)),
                row.getInt("gpus"),
                row.getLong("held"),
                row.getLong("cpu_milli"),
                row.getLong("held_cpu_milli"),
                row.getLong("memory_mib"),
                row.getLong("held_memory_mib"),
                row.getInt("pod_slots"),
                row.getInt("held_pods"),
                nics(row.getString("nics")));
    }

    static GpuView gpu(ResultSet row, int number) throws SQLException {
        String instances = row.getString("instances");
        return new GpuView(
                row.getLong("id"),
                row.getString("cluster"),
                row.getLong("node_id"),
                row.getString("node"),
                row.getInt("index"),
                row.getString("uuid"),
                row.getString("flavor"),
                row.getString("gpu_model"),
                row.getInt("memory_mib"),
                row.getInt("island"),
                row.getString("place"),
                row.getBoolean("healthy"),
                row.getInt("held_milli"),
                List.of((String[]) row.getArray("jobs").getArray()),
                row.getString("mig_layout"),
                instances == null ? List.of() : List.of(Json.read(instances, HeldInstance[].class)));
    }

    static DomainView domain(ResultSet row, int number) throws SQLException {
        return new DomainView(
                row.getString("cluster"),
                row.getString("level"),
                row.getString("name"),
                row.getString("parent"),
                row.getLong("nodes"),
                row.getLong("gpus"),
                row.getLong("free"),
                row.getLong("whole_free"));
    }

    static FlavorView flavor(ResultSet row, int number) throws SQLException {
        return new FlavorView(
                row.getString("name"),
                row.getString("gpu_model"),
                row.getInt("memory_mib"),
                row.getLong("nodes"),
                row.getLong("gpus"),
                row.getLong("held"),
                row.getLong("free"));
    }

    private static Map<String, String> domains(String[] domains, TopologyLevels levels) {
        Map<String, String> byLevel = new LinkedHashMap<>();
        for (int i = 0; i < Math.min(domains.length, levels.levels().size()); i++) {
            if (!domains[i].isEmpty()) {
                byLevel.put(levels.levels().get(i).name(), domains[i]);
            }
        }
        return byLevel;
    }

    private static List<NicView> nics(@Nullable String json) {
        return json == null ? List.of() : List.of(Json.read(json, NicView[].class));
    }

    private static Map<String, String> labels(String json) {
        Map<String, String> labels = new TreeMap<>();
        Json.read(json, Map.class).forEach((key, value) -> labels.put((String) key, (String) value));
        return labels;
    }
}
