package dev.tutti.allocator.evict;

import dev.tutti.allocator.Plan;
import dev.tutti.allocator.board.Board;
import dev.tutti.allocator.board.Layout;
import dev.tutti.allocator.board.Piece;
import dev.tutti.allocator.fleet.FleetArrays;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Finds what a member of a running job holds, in the positions of a layout. */
final class Members {

    private final Layout layout;
    private final int[] position;
    private FleetArrays fleet;

    Members(Layout layout, FleetArrays fleet) {
        this.layout = layout;
        this.fleet = fleet;
        position = new int[fleet.nodes()];
        for (int p = 0; p < position.length; p++) {
            position[layout.node[p]] = p;
        }
    }

    /** Looks at this fleet from now on, which has the shape of the one before. */
    void follow(FleetArrays next) {
        fleet = next;
    }

    /** What the member holds; null on a node that is not in the fleet. Devices that are not healthy are left out. */
    @Nullable
    Piece piece(Plan.PodPlacement member) {
        int n = Arrays.binarySearch(fleet.nodeId(), member.node().value());
        if (n < 0) {
            return null;
        }
        int p = position[n];
        int first = fleet.firstDevice()[n];
        int[] devices = IntStream.range(first, fleet.firstDevice()[n + 1])
                .filter(d -> member.devices().contains(fleet.deviceId()[d]) && fleet.deviceWhole()[d] == Board.WHOLE)
                .map(d -> layout.deviceLo[p] + d - first)
                .toArray();
        int[] milli = new int[devices.length];
        int[] units = new int[devices.length];
        Arrays.fill(milli, member.milliPerDevice());
        Arrays.fill(units, member.mig() == null ? 0 : member.mig().bits());
        return new Piece(p, member.cpuMilli(), member.memoryMib(), 1, devices, milli, units, nics(member, n, p));
    }

    private int[] nics(Plan.PodPlacement member, int n, int p) {
        int first = fleet.nics().firstGroup()[n];
        return member.nics().stream()
                .flatMapToInt(id -> IntStream.range(first, fleet.nics().firstGroup()[n + 1])
                        .filter(g -> fleet.nics().groupId()[g] == id))
                .map(g -> layout.nicLo[p] + g - first)
                .toArray();
    }
}
