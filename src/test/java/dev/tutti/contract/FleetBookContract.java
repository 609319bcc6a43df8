package dev.tutti.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tutti.control.Deposed;
import dev.tutti.control.FleetBook;
import dev.tutti.control.view.ChangeFeed.Changes;
import dev.tutti.control.view.ChangeFeed.DeviceRow;
import dev.tutti.model.JobId;
import dev.tutti.model.fleet.NodeSighting;
import dev.tutti.model.fleet.Taint;
import dev.tutti.model.life.EndCause;
import dev.tutti.model.life.MemberPhase;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What every inventory does with what clusters say. */
public abstract class FleetBookContract extends StoreContract {

    private static final long SECOND = 1_000_000;

    @Test
    final void aClusterIsRegisteredOnce() {
        assertThat(store.fleet().register("berlin", "simulated")).isEqualTo(cluster);
        assertThat(store.fleet().register("paris", "kubernetes")).isNotEqualTo(cluster);
    }

    @Test
    final void whatDidNotChangeIsNotWritten() {
        nodes(3);
        String cursor = everything().cursor();
        nodes(3);
        Changes changes = store.changes().since(cursor);
        assertThat(changes.nodes()).isEmpty();
        assertThat(changes.devices()).isEmpty();
    }

    @Test
    final void onlyTheNodeThatChangedIsWritten() {
        nodes(3);
        String cursor = everything().cursor();
        observe(sighting("n0"), sighting("n1", "uid-n1", "boot-1", true, false, 8), sighting("n2"));
        assertThat(names(store.changes().since(cursor).nodes())).containsExactly("n1");
        assertThat(node("n1").open()).isFalse();
    }

    @Test
    final void aNodeThatIsTaintedChanges() {
        nodes(1);
        String cursor = everything().cursor();
        NodeSighting bare = tainted(List.of());
        observe(bare);
        assertThat(names(store.changes().since(cursor).nodes())).containsExactly("n0");
        assertThat(node("n0").traits().taints()).isEmpty();
        assertThat(node("n0").open()).isTrue();
        cursor = everything().cursor();
        observe(bare);
        assertThat(store.changes().since(cursor).nodes()).isEmpty();
    }

    private static NodeSighting tainted(List<Taint> taints) {
        NodeSighting node = sighting("n0");
        return new NodeSighting(
                node.name(),
                node.uid(),
                node.bootId(),
                node.ready(),
                node.schedulable(),
                node.deleted(),
                node.flavor(),
                node.gpuModel(),
                node.gpuMemoryMib(),
                node.cpuMilli(),
                node.memoryMib(),
                node.podSlots(),
                node.nics(),
                node.labels(),
                taints,
                node.devices(),
                node.warnings());
    }

    @Test
    final void aNodeKeepsItsIdAndItsDevicesKeepTheirs() {
        nodes(1);
        var id = node("n0").id();
        List<Long> devices = devices("n0").stream().map(DeviceRow::id).toList();
        observe(sighting("n0", "uid-n0", "boot-2", false, true, 8));
        assertThat(node("n0").id()).isEqualTo(id);
        assertThat(devices("n0")).extracting(DeviceRow::id).isEqualTo(devices);
    }

    @Test
    final void theSameNodeNameInTwoClustersIsTwoNodes() {
        nodes(1);
        var paris = store.fleet().register("paris", "simulated");
        store.fleet().observe(paris, List.of(sighting("n0")), List.of(List.of("zone-b", "rack-9")), leader);
        assertThat(everything().nodes()).hasSize(2);
    }

    @Test
    final void aDeletedNodeIsKeptButClosed() {
        nodes(2);
        observe(gone("n0"));
        assertThat(node("n0").gone()).isTrue();
        assertThat(node("n0").open()).isFalse();
        assertThat(node("n1").open()).isTrue();
        observe(gone("unknown"));
        assertThat(names(everything().nodes())).containsExactly("n0", "n1");
    }

    @Test
    final void afterAFullListWhatIsNotInItIsGone() {
        nodes(3);
        String cursor = everything().cursor();
        store.fleet().retain(cluster, Set.of("n0", "n2"), leader);
        assertThat(names(store.changes().since(cursor).nodes())).containsExactly("n1");
        assertThat(node("n1").gone()).isTrue();
        assertThat(node("n2").gone()).isFalse();
    }

    @Test
    final void aNodeThatComesBackIsClosedForAWhile() {
        nodes(1);
        observe(gone("n0"));
        observe(sighting("n0"));
        assertThat(node("n0").gone()).isFalse();
        assertThat(closedSeconds("n0")).isBetween(FleetBook.RETURN_SECONDS - 5L, FleetBook.RETURN_SECONDS + 0L);
    }

    @Test
    final void itIsClosedForTheGraceOfMembersThatWereLostOnItToo() {
        nodes(1);
        JobId job = submit(job("job", 1, 1));
        commit(place(job, "n0", 0));
        see(job, MemberPhase.RUNNING, null);
        see(job, MemberPhase.LOST, EndCause.NODE_LOST);
        see(job, MemberPhase.GONE, EndCause.NODE_LOST);

        observe(sighting("n0", "another-uid", "boot-9", true, true, 8));

        assertThat(closedSeconds("n0")).isBetween(FleetBook.RETURN_SECONDS + 25L, FleetBook.RETURN_SECONDS + 30L);
    }

    @Test
    final void aHeldDeviceThatVanishesIsUnusableAndGoesWhenItIsFree() {
        nodes(1);
        JobId job = submit(job("job", 1, 1));
        commit(place(job, "n0", 7));
        observe(sighting("n0", "uid-n0", "boot-1", true, true, 7));
        assertThat(devices("n0"))
                .hasSize(8)
                .filteredOn(device -> !device.usable())
                .extracting(DeviceRow::index)
                .containsExactly(7);

        stop(job, EndCause.CANCELLED_BY_USER);
        see(job, MemberPhase.GONE, null);
        observe(sighting("n0", "uid-n0", "boot-1", true, true, 7));
        assertThat(devices("n0")).hasSize(7);
    }

    @Test
    final void aNodeThatRefusedPodsIsClosedLongerEachTime() {
        nodes(1);
        var id = node("n0").id();
        store.fleet().backOff(List.of(id), Duration.ofSeconds(10), leader);
        long first = closedSeconds("n0");
        store.fleet().backOff(List.of(id), Duration.ofSeconds(10), leader);
        long second = closedSeconds("n0");

        assertThat(first).isBetween(5L, 10L);
        assertThat(second).isBetween(15L, 20L);
        store.advance(Duration.ofSeconds(21));
        assertThat(closedSeconds("n0")).isLessThanOrEqualTo(0);
    }

    @Test
    final void aDeposedLeaderWritesNothing() {
        store.advance(store.lease().multipliedBy(2));
        store.leadership().lead("second").orElseThrow();
        assertThatThrownBy(() -> nodes(1)).isInstanceOf(Deposed.class);
        assertThat(everything().nodes()).isEmpty();
    }

    private long closedSeconds(String node) {
        Changes all = everything();
        long until = all.nodes().stream()
                .filter(one -> one.name().equals(node))
                .findFirst()
                .orElseThrow()
                .closedUntilMicros();
        return Math.round((until - all.nowMicros()) / (double) SECOND);
    }
}
