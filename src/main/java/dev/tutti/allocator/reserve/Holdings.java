package dev.tutti.allocator.reserve;

import dev.tutti.allocator.Plan.PodPlacement;
import dev.tutti.allocator.RunningJob;
import dev.tutti.allocator.board.Board;
import dev.tutti.allocator.board.Layout;
import dev.tutti.allocator.board.Place;
import dev.tutti.allocator.board.PodShape;
import dev.tutti.allocator.fleet.FleetArrays;
import dev.tutti.model.fleet.MigInstance;
import dev.tutti.model.fleet.MigLayouts;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What running jobs will give back, in the numbers of a layout. What nobody could use afterwards is left out: nodes that are
 * gone, and devices that are unhealthy or on closed nodes.
 */
public final class Holdings {

    private static final int NO_MIG = -1;

    private final Layout layout;
    private final FleetArrays fleet;
    /** Position of each node of the fleet. */
    private final int[] position;

    public Holdings(Layout layout, FleetArrays fleet, int[] position) {
        this.layout = layout;
        this.fleet = fleet;
        this.position = position;
    }

    /** What the job gives back when it ends. */
    Place of(RunningJob job) {
        List<Place.Pod> pods = new ArrayList<>(job.members().size());
        for (PodPlacement member : job.members()) {
            int n = Arrays.binarySearch(fleet.nodeId(), member.node().value());
            if (n >= 0) {
                pods.add(pod(member, position[n]));
            }
        }
        return new Place(pods);
    }

    private Place.Pod pod(PodPlacement member, int p) {
        int[] devices = member.devices().stream()
                .mapToInt(id -> device(p, id))
                .filter(d -> d >= 0)
                .toArray();
        int[] nics = fleet.open()[layout.node[p]]
                ? member.nics().stream()
                        .mapToInt(id -> group(p, id))
                        .filter(g -> g >= 0)
                        .toArray()
                : new int[0];
        MigInstance mig = devices.length == 0 || layout.mig[devices[0]] < 0 ? null : member.mig();
        boolean isLost = devices.length == 0 || member.mig() != null && mig == null;
        PodShape host =
                new PodShape(0, 0, member.cpuMilli(), member.memoryMib()).with(nics.length, PodShape.ANY_RESOURCE);
        return isLost
                ? new Place.Pod(p, host, new int[0], 0, nics)
                : new Place.Pod(
                        p, withDevices(host, member, devices, mig), devices, mig == null ? 0 : mig.start(), nics);
    }

    private static PodShape withDevices(PodShape host, PodPlacement member, int[] devices, @Nullable MigInstance mig) {
        return new PodShape(
                devices.length,
                member.milliPerDevice(),
                mig == null ? NO_MIG : MigLayouts.numberOf(mig.profile()),
                host.cpuMilli(),
                host.memoryMib(),
                host.nodes(),
                host.nics(),
                host.nicResource());
    }

    /** The device with this id if it can be used once it is free; else -1. */
    private int device(int p, long id) {
        for (int d = layout.deviceLo[p]; d < layout.deviceLo[p + 1]; d++) {
            int raw = layout.device[d];
            if (fleet.deviceId()[raw] == id) {
                return fleet.open()[layout.node[p]] && fleet.deviceWhole()[raw] == Board.WHOLE ? d : -1;
            }
        }
        return -1;
    }

    private int group(int p, long id) {
        for (int g = layout.nicLo[p]; g < layout.nicLo[p + 1]; g++) {
            if (fleet.nics().groupId()[layout.nic[g]] == id) {
                return g;
            }
        }
        return -1;
    }
}
