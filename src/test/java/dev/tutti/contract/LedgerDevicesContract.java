package dev.tutti.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.allocator.Plan.Placement;
import dev.tutti.allocator.Plan.PodPlacement;
import dev.tutti.control.Receipt;
import dev.tutti.control.view.ChangeFeed.DeviceRow;
import dev.tutti.model.JobId;
import dev.tutti.model.fleet.NodeSighting;
import dev.tutti.model.life.MemberPhase;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What every ledger does with what is given in pieces: MIG instances of devices, NICs of groups. */
public abstract class LedgerDevicesContract extends StoreContract {

    @Test
    final void instancesLieSideBySideOnOneDevice() {
        nodes(1);
        JobId gang = submit(mig("gang", 2, "3g.40gb"));
        JobId small = submit(mig("small", 1, "1g.10gb"));

        Receipt receipt = commit(
                place(gang, 0, List.of(instance(gang, 0, "n0", 0, 4), instance(gang, 1, "n0", 1, 0))),
                cut(small, "n0", 0, 3));

        assertThat(receipt.committed()).containsExactlyInAnyOrder(gang, small);
        assertThat(devices("n0").subList(0, 3)).extracting(DeviceRow::heldUnits).containsExactly(0xF8, 0x0F, 0);
        assertThat(devices("n0").subList(0, 3)).extracting(DeviceRow::heldMilli).containsExactly(625, 500, 0);
        assertThat(devices("n0")).allMatch(device -> "h100-80gb".equals(device.migLayout()));
        see(gang, MemberPhase.SUCCEEDED, null);
        assertThat(devices("n0").get(0).heldUnits()).isEqualTo(1 << 3);
        see(small, MemberPhase.SUCCEEDED, null);
        assertNothingHeld();
        assertThat(devices("n0")).allMatch(device -> device.heldUnits() == 0);
        JobId whole = submit(job("whole", 1, 8));
        assertThat(commit(place(whole, "n0", 0, 1, 2, 3, 4, 5, 6, 7)).committed())
                .as("one whole GPU again")
                .containsExactly(whole);
    }

    @Test
    final void nicsAreGivenAndComeBack() {
        nodes(1);
        JobId first = submit(job("first", 1, 1));
        JobId second = submit(job("second", 1, 1));
        JobId over = submit(job("over", 1, 1));

        Receipt receipt = commit(place(first, "n0", 0, List.of(0, 0)), place(second, "n0", 2, List.of(1, 3)));

        assertThat(receipt.committed()).containsExactlyInAnyOrder(first, second);
        assertThat(heldNics("n0")).containsExactly(2, 1, 0, 1);
        assertThat(commit(place(over, "n0", 4, List.of(2, 0))).refused())
                .as("one of a group of which none is left")
                .containsOnlyKeys(over);
        assertThat(heldNics("n0")).containsExactly(2, 1, 0, 1);
        see(first, MemberPhase.SUCCEEDED, null);
        assertThat(heldNics("n0")).containsExactly(0, 1, 0, 1);
        see(second, MemberPhase.SUCCEEDED, null);
        assertThat(heldNics("n0")).containsExactly(0, 0, 0, 0);
    }

    @Test
    final void nicsOfAnotherNodeAreRefusedAsStale() {
        nodes(2);
        JobId job = submit(job("job", 1, 1));
        Placement here = place(job, "n0", 0, List.of(0));
        Placement there = place(job, "n1", 0, List.of(0));
        PodPlacement pod = here.members().get(0);
        PodPlacement mixed = new PodPlacement(
                pod.podSet(),
                0,
                pod.node(),
                pod.flavor(),
                pod.devices(),
                pod.milliPerDevice(),
                pod.cpuMilli(),
                pod.memoryMib(),
                null,
                there.members().get(0).nics());

        Receipt receipt = commit(place(job, here.jobVersion(), List.of(mixed)));

        assertThat(receipt.committed()).isEmpty();
        assertNothingHeld();
        assertThat(heldNics("n1")).containsExactly(0, 0, 0, 0);
    }

    @Test
    final void aUnitIsNotGivenTwice() {
        nodes(1);
        JobId first = submit(mig("first", 1, "2g.20gb"));
        JobId over = submit(mig("over", 1, "1g.10gb"));
        JobId inOneGang = submit(mig("gang", 2, "1g.20gb"));
        commit(cut(first, "n0", 0, 2));

        Receipt receipt = commit(
                cut(over, "n0", 0, 3),
                place(inOneGang, 0, List.of(instance(inOneGang, 0, "n0", 0, 6), instance(inOneGang, 1, "n0", 0, 6))));

        assertThat(receipt.refused()).containsOnlyKeys(over, inOneGang);
        assertThat(devices("n0").get(0).heldUnits()).isEqualTo(0b1100);
    }

    @Test
    final void aDeviceIsInOneMode() {
        nodes(1);
        JobId share = submit(job("share", 1, 100));
        JobId whole = submit(job("whole", 1, 1));
        JobId cut = submit(mig("cut", 1, "1g.10gb"));
        JobId late = submit(job("late", 1, 100));
        JobId besideShare = submit(mig("beside-share", 1, "1g.10gb"));
        JobId besideWhole = submit(mig("beside-whole", 1, "1g.10gb"));
        commit(place(share, "n0", 0), place(whole, "n0", 1), cut(cut, "n0", 2, 6));

        Receipt receipt = commit(cut(besideShare, "n0", 0, 0), cut(besideWhole, "n0", 1, 0), place(late, "n0", 2));

        assertThat(receipt.refused()).containsOnlyKeys(besideShare, besideWhole, late);
    }

    @Test
    final void anInstanceOnADeviceThatMayNoLongerBeCutIsStale() {
        nodes(1);
        JobId job = submit(mig("late", 1, "1g.10gb"));
        Placement placement = cut(job, "n0", 0, 0);
        NodeSighting node = sighting("n0");
        observe(new NodeSighting(
                node.name(),
                node.uid(),
                node.bootId(),
                true,
                true,
                false,
                node.flavor(),
                node.gpuModel(),
                node.gpuMemoryMib(),
                node.cpuMilli(),
                node.memoryMib(),
                node.podSlots(),
                node.nics(),
                node.labels(),
                node.taints(),
                node.devices().stream()
                        .map(one -> new NodeSighting.Device(one.index(), one.uuid(), one.island(), true))
                        .toList(),
                List.of()));

        assertThat(commit(placement).stale()).containsExactly(job);
        assertThat(devices("n0")).allMatch(device -> device.migLayout() == null);
    }
}
