package dev.tutti.web;

import dev.tutti.allocator.QueueShares;
import dev.tutti.control.read.FleetQueries;
import dev.tutti.control.read.Page;
import dev.tutti.control.read.PageRequest;
import dev.tutti.control.view.ChangeFeed;
import dev.tutti.model.ClusterId;
import dev.tutti.model.NodeId;
import dev.tutti.model.QueueId;
import dev.tutti.model.fleet.NodeTraits;
import dev.tutti.model.fleet.Taint;
import dev.tutti.model.fleet.TaintEffect;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/** One cluster of two nodes with eight GPUs each. */
final class MemoryFleet implements FleetQueries, ChangeFeed {

    @Override
    public List<ClusterView> clusters() {
        return List.of(new ClusterView(1, "sim", "simulated", true, Instant.EPOCH, 2, 16, 16_000));
    }

    @Override
    public Page<NodeView> nodes(NodeFilter filter, PageRequest page) {
        return MemoryPages.page(List.of(view(1), view(2)), page, node -> Long.toString(node.id()));
    }

    @Override
    public Optional<NodeView> node(long id) {
        return id == 1 || id == 2 ? Optional.of(view(id)) : Optional.empty();
    }

    private static NodeView view(long id) {
        return new NodeView(
                id,
                "sim",
                "n" + id,
                "h100",
                "ready",
                Map.of("rack", "r1"),
                Map.of(),
                List.of(new Taint("dedicated", "training", TaintEffect.NO_SCHEDULE)),
                List.of(),
                8,
                0,
                64_000,
                0,
                65_536,
                0,
                110,
                0,
                List.of(new NicView("rdma/hca", "pcie-0", 2, 1)));
    }

    @Override
    public Page<GpuView> gpus(GpuFilter filter, PageRequest page) {
        List<GpuView> all = IntStream.range(0, 16)
                .mapToObj(i -> new GpuView(
                        i,
                        "sim",
                        1 + i / 8,
                        "n" + (1 + i / 8),
                        i % 8,
                        "GPU-" + i,
                        "h100",
                        "H100",
                        81_920,
                        i % 8 / 4,
                        "pcie-" + i % 8 / 2,
                        true,
                        0,
                        List.of(),
                        "h100-80gb",
                        List.of()))
                .toList();
        return MemoryPages.page(all, page, gpu -> Long.toString(gpu.id()));
    }

    @Override
    public List<DomainView> topology(String cluster) {
        return List.of(new DomainView("sim", "rack", "r1", null, 2, 16, 16_000, 16));
    }

    @Override
    public List<FlavorView> flavors() {
        return List.of(new FlavorView("h100", "H100", 81_920, 2, 16, 0, 16_000));
    }

    @Override
    public Changes since(String cursor) {
        List<NodeRow> nodes = cursor == null ? List.of(row(1), row(2)) : List.of();
        Map<NodeId, List<DeviceRow>> devices =
                cursor == null ? Map.of(new NodeId(1), devices(1), new NodeId(2), devices(2)) : Map.of();
        Map<QueueId, QueueShares.Share> shares = Map.of();
        return new Changes(
                "c",
                System.currentTimeMillis() * 1_000,
                List.of(),
                List.of(),
                List.of(),
                nodes,
                devices,
                shares,
                List.of(),
                List.of(),
                Map.of());
    }

    private static NodeRow row(long id) {
        return new NodeRow(
                new NodeId(id),
                new ClusterId(1),
                "sim",
                "n" + id,
                "h100",
                List.of("z1", "r1"),
                new NodeTraits(Map.of("pool", "training"), List.of()),
                true,
                0,
                false,
                64_000,
                65_536,
                110,
                0,
                0,
                0,
                List.of());
    }

    private static List<DeviceRow> devices(long node) {
        return IntStream.range(0, 8)
                .mapToObj(i -> new DeviceRow(10 * node + i, i, i / 4, true, 0, null, 0, ""))
                .toList();
    }
}
