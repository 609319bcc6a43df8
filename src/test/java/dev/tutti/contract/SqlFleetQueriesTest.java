package dev.tutti.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tutti.control.read.BrokenCursor;
import dev.tutti.control.read.FleetQueries;
import dev.tutti.control.read.FleetQueries.ClusterView;
import dev.tutti.control.read.FleetQueries.DomainView;
import dev.tutti.control.read.FleetQueries.FlavorView;
import dev.tutti.control.read.FleetQueries.GpuFilter;
import dev.tutti.control.read.FleetQueries.GpuView;
import dev.tutti.control.read.FleetQueries.HeldInstance;
import dev.tutti.control.read.FleetQueries.NodeFilter;
import dev.tutti.control.read.FleetQueries.NodeView;
import dev.tutti.control.read.Page;
import dev.tutti.control.read.PageRequest;
import dev.tutti.control.read.QueueQueries.LaneView;
import dev.tutti.control.read.QueueQueries.QueueView;
import dev.tutti.model.JobId;
import dev.tutti.model.life.MemberPhase;
import dev.tutti.model.queue.QueueRules;
import dev.tutti.model.queue.QuotaKey;
import dev.tutti.model.queue.Quotas;
import dev.tutti.model.queue.Use;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SqlFleetQueriesTest extends QueriesContract {

    private static final PageRequest ALL = new PageRequest(500, null);
    private static final NodeFilter ANY_NODE = new NodeFilter(null, null, null);
    private static final GpuFilter ANY_GPU = new GpuFilter(null, null, null, null);

    private FleetQueries fleet;

    @BeforeEach
    void openQueries() {
        fleet = sql().fleetQueries();
    }

    @Test
    void sumsSayWhatTheLedgerSays() {
        nodes(3);
        JobId job = submit(job("job", 1, 2));
        commit(place(job, "n0", 0, 1));
        observe(sighting("n1", "uid-n1", "boot-1", true, false, 8), gone("n2"));

        ClusterView cluster = fleet.clusters().get(0);
        assertThat(cluster.nodes()).isEqualTo(2);
        assertThat(cluster.gpus()).isEqualTo(16);
        assertThat(cluster.gpuMilliFree()).as("n1 is cordoned").isEqualTo(6_000);
        FlavorView flavor = fleet.flavors().get(0);
        assertThat(flavor.name()).isEqualTo("h100");
        assertThat(flavor.gpuMilliHeld()).isEqualTo(2_000);
        assertThat(flavor.gpuMilliFree()).isEqualTo(6_000);
        List<DomainView> domains = fleet.topology("berlin");
        assertThat(domains).extracting(DomainView::level).containsExactly("zone", "rack");
        assertThat(domains.get(1).parent()).isEqualTo("zone-a");
        assertThat(domains.get(1).wholeGpusFree()).isEqualTo(6);
        assertThat(fleet.topology("nowhere")).isEmpty();
    }

    @Test
    void racksOfOneNameInTwoZonesStayTwo() {
        nodes(1);
        store.fleet().observe(cluster, List.of(sighting("m0")), List.of(List.of("zone-b", "rack-1")), leader);
        assertThat(fleet.topology(null))
                .filteredOn(domain -> domain.level().equals("rack"))
                .extracting(DomainView::parent)
                .containsExactly("zone-a", "zone-b");
    }

    @Test
    void nodesAreListedByStateInPages() {
        nodes(4);
        observe(sighting("n1", "uid-n1", "boot-1", false, true, 8), gone("n2"));
        store.fleet().backOff(List.of(node("n3").id()), Duration.ofMinutes(5), leader);

        Page<NodeView> first = fleet.nodes(ANY_NODE, new PageRequest(3, null));
        Page<NodeView> second = fleet.nodes(ANY_NODE, new PageRequest(3, first.next()));

        assertThat(first.items()).extracting(NodeView::state).containsExactly("ready", "not-ready", "gone");
        assertThat(second.items()).extracting(NodeView::state).containsExactly("backing-off");
        assertThat(second.next()).isNull();
        assertThat(fleet.nodes(new NodeFilter("berlin", "h100", "ready"), ALL).items())
                .extracting(NodeView::name)
                .containsExactly("n0");
        assertThat(fleet.nodes(new NodeFilter("paris", null, null), ALL).items())
                .isEmpty();
        assertThatThrownBy(() -> fleet.nodes(new NodeFilter("berlin", null, null), new PageRequest(3, first.next())))
                .isInstanceOf(BrokenCursor.class);
    }

    @Test
    void aNodeShowsWhatItHasAndHolds() {
        nodes(1);
        JobId job = submit(job("job", 1, 250));
        commit(place(job, "n0", 3));

        NodeView node = fleet.node(node("n0").id().value()).orElseThrow();

        assertThat(node.domains()).isEqualTo(Map.of("zone", "zone-a", "rack", "rack-1"));
        assertThat(node.taints()).isEqualTo(TAINTS);
        assertThat(node.labels()).isEqualTo(Map.of("rack", "r\"1\\"));
        assertThat(node.gpus()).isEqualTo(8);
        assertThat(node.gpuMilliHeld()).isEqualTo(250);
        assertThat(node.podsHeld()).isEqualTo(1);
        assertThat(node.cpuMilliHeld()).isEqualTo(1_000);
        assertThat(fleet.node(999_999)).isEmpty();
    }

    @Test
    void gpusShowTheirMigLayoutAndTheInstancesOnThem() {
        nodes(1);
        JobId first = submit(mig("first", 1, "1g.10gb"));
        JobId second = submit(mig("second", 1, "3g.40gb"));
        commit(cut(first, "n0", 3, 6), cut(second, "n0", 3, 0));

        assertThat(fleet.gpus(new GpuFilter(null, null, null, false), ALL).items())
                .singleElement()
                .satisfies(gpu -> {
                    assertThat(gpu.index()).isEqualTo(3);
                    assertThat(gpu.migLayout()).isEqualTo("h100-80gb");
                    assertThat(gpu.milliHeld()).isEqualTo(625);
                    assertThat(gpu.instances())
                            .containsExactly(
                                    new HeldInstance(second.toString(), "3g.40gb", 0, 4),
                                    new HeldInstance(first.toString(), "1g.10gb", 6, 1));
                });
        assertThat(fleet.gpus(new GpuFilter(null, null, null, true), ALL).items())
                .hasSize(7)
                .allMatch(gpu -> gpu.instances().isEmpty());
    }

    @Test
    void gpusNameTheJobsThatHoldThem() {
        nodes(2);
        JobId first = submit(job("first", 1, 250));
        JobId second = submit(job("second", 1, 500));
        commit(place(first, "n0", 3), place(second, "n0", 3));

        List<GpuView> held =
                fleet.gpus(new GpuFilter(null, null, null, false), ALL).items();

        assertThat(held).singleElement().satisfies(gpu -> {
            assertThat(gpu.node()).isEqualTo("n0");
            assertThat(gpu.index()).isEqualTo(3);
            assertThat(gpu.uuid()).isEqualTo("n0-gpu3");
            assertThat(gpu.model()).isEqualTo("H100");
            assertThat(gpu.milliHeld()).isEqualTo(750);
            assertThat(gpu.jobs()).containsExactlyInAnyOrder(first.toString(), second.toString());
        });
        assertThat(fleet.gpus(new GpuFilter("berlin", "h100", node("n0").id().value(), true), ALL)
                        .items())
                .hasSize(7);
        Page<GpuView> page = fleet.gpus(ANY_GPU, new PageRequest(10, null));
        assertThat(fleet.gpus(ANY_GPU, new PageRequest(10, page.next())).items())
                .hasSize(6);
        see(first, MemberPhase.SUCCEEDED, null);
        assertThat(fleet.gpus(new GpuFilter(null, null, null, false), ALL)
                        .items()
                        .get(0)
                        .jobs())
                .containsExactly(second.toString());
    }

    @Test
    void queuesShowLeavesFirstWithQuotaAndUseOfAllBelow() {
        nodes(1);
        store.queues().create("research", Quotas.ofGpus(Map.of("h100", 8_000L)), QueueRules.PLAIN, ANNA);
        store.queues().create("research/llm", Quotas.NONE, QueueRules.PLAIN, ANNA);
        JobId running = submit(job("running", "research/llm", 1, 2, 0));
        submit(job("waiting", "research/llm", 1, 2, 0));
        commit(place(running, "n0", 0, 1));
        see(running, MemberPhase.RUNNING, null);

        List<QueueView> queues = sql().queueQueries().queues(ALL).items();

        assertThat(queues).extracting(QueueView::path).containsExactly("default", "research/llm", "research");
        QueueView research = queues.get(2);
        assertThat(research.leaf()).isFalse();
        assertThat(research.quotas()).isEqualTo(Quotas.ofGpus(Map.of("h100", 8_000L)));
        assertThat(research.used().get(QuotaKey.gpus("h100"))).isEqualTo(new Use(0, 2_000, 0));
        assertThat(research.waiting()).isEqualTo(1);
        assertThat(research.running()).isEqualTo(1);
        assertThat(queues.get(1).parent()).isEqualTo(research.id());
        assertThat(sql().queueQueries().queue("research")).contains(research);
        assertThat(sql().queueQueries().queue(Long.toString(research.id()))).contains(research);
        assertThat(sql().queueQueries().queue("../x")).isEmpty();
        Page<QueueView> first = sql().queueQueries().queues(new PageRequest(2, null));
        assertThat(sql().queueQueries().queues(new PageRequest(2, first.next())).items())
                .containsExactly(research);
        assertThat(sql().queueQueries().lanes()).extracting(LaneView::name).containsExactly("green", "yellow", "red");
        assertThat(sql().queueQueries().lanes().get(1).waiting()).isEqualTo(1);
    }
}
