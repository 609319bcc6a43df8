package dev.tutti.control.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.allocator.Snapshot;
import dev.tutti.allocator.board.PodShape;
import dev.tutti.allocator.fleet.FleetArrays;
import dev.tutti.allocator.policy.Mix;
import dev.tutti.control.Rows;
import dev.tutti.control.view.ChangeFeed.Changes;
import dev.tutti.control.view.ChangeFeed.DeviceRow;
import dev.tutti.control.view.ChangeFeed.NodeRow;
import dev.tutti.control.view.ChangeFeed.RecentJob;
import dev.tutti.model.ClusterId;
import dev.tutti.model.NodeId;
import dev.tutti.model.fleet.MigLayout;
import dev.tutti.model.fleet.NodeTraits;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class FleetMirrorTest {

    private final FleetMirror mirror = new FleetMirror(Rows.LEVELS);

    @Test
    void laysNodesOutByIdWithTheirDevices() {
        mirror.take(Rows.changes(5, List.of(Rows.node(9, 1, "a100"), Rows.node(2, 1, "h100")), 3));
        FleetArrays fleet = mirror.snapshot().fleet();
        assertThat(fleet.nodeId()).containsExactly(2, 9);
        assertThat(fleet.firstDevice()).containsExactly(0, 3, 6);
        assertThat(fleet.deviceId()).containsExactly(20, 21, 22, 90, 91, 92);
        assertThat(fleet.island()).containsExactly(0, 0, 1, 0, 0, 1);
        assertThat(mirror.snapshot().names().nodes()).containsExactly("n2", "n9");
        assertThat(mirror.snapshot().names().flavors()).containsExactly("h100", "a100");
    }

    @Test
    void aDomainIsItsWholePathFromTheClusterDown() {
        mirror.take(Rows.changes(
                5,
                List.of(
                        Rows.node(1, 1, "h", "b1", "r1"),
                        Rows.node(2, 1, "h", "b1", "r1"),
                        Rows.node(3, 1, "h", "b2", "r1"),
                        Rows.node(4, 2, "h", "b1", "r1")),
                1));
        assertThat(mirror.snapshot().fleet().domain()[0]).containsExactly(0, 0, 1, 2);
        assertThat(mirror.snapshot().fleet().domain()[1]).containsExactly(0, 0, 1, 2);
        assertThat(mirror.snapshot().names().domains())
                .containsExactly(List.of("b1", "b2", "b1"), List.of("r1", "r1", "r1"));
    }

    @Test
    void aNodeWithoutALabelIsWithItsNextNarrowerDomainOrAlone() {
        mirror.take(Rows.changes(
                5,
                List.of(
                        Rows.node(1, 1, "h", "b1", ""),
                        Rows.node(2, 1, "h", "b1", ""),
                        Rows.node(3, 1, "h", "", "r1"),
                        Rows.node(4, 1, "h", "", "r1"),
                        Rows.node(5, 1, "h", "node 3", "r1")),
                1));
        assertThat(mirror.snapshot().fleet().domain()[0]).containsExactly(0, 0, 1, 1, 2);
        assertThat(mirror.snapshot().fleet().domain()[1]).containsExactly(0, 1, 2, 2, 3);
    }

    @Test
    void whatIsHeldUnusableOrGoneIsNotFree() {
        mirror.take(Rows.changes(5, List.of(Rows.node(1, 1, "h"), Rows.gone(Rows.node(2, 1, "h"))), 2));
        DeviceRow sick = Rows.device(11, 1, 0, false, 0);
        mirror.take(new Changes(
                "d",
                6,
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                Map.of(new NodeId(1), List.of(Rows.device(10, 0, 0, true, 300), sick)),
                Map.of(),
                List.of(),
                List.of(),
                Map.of()));
        FleetArrays fleet = mirror.snapshot().fleet();
        assertThat(fleet.nodeId()).containsExactly(1);
        assertThat(fleet.deviceFreeMilli()).containsExactly(700, 0);
        assertThat(fleet.deviceWhole()).containsExactly(1000, 0);
        assertThat(mirror.emptySnapshot().fleet().deviceFreeMilli()).containsExactly(1000, 1000);
        assertThat(mirror.emptySnapshot().queues().queues().get(Rows.QUEUE).used())
                .isEmpty();
    }

    @Test
    void aClosedNodeOpensByTheDatabasesTimeWithoutAnyRowChanging() {
        mirror.take(Rows.changes(100, List.of(Rows.closedUntil(Rows.node(1, 1, "h"), 200)), 1));
        assertThat(mirror.snapshot().fleet().open()).containsExactly(false);
        long revision = mirror.revision();
        mirror.take(Rows.nothing(199));
        assertThat(mirror.revision()).isEqualTo(revision);
        mirror.take(Rows.nothing(200));
        assertThat(mirror.revision()).isGreaterThan(revision);
        assertThat(mirror.snapshot().fleet().open()).containsExactly(true);
    }

    @Test
    void keepsTheWaitingBookAndOneSnapshotUntilSomethingChanges() {
        mirror.take(Rows.changes(1, List.of(Rows.node(1, 1, "h")), 1));
        Snapshot first = mirror.snapshot();
        mirror.take(Rows.nothing(2));
        assertThat(mirror.snapshot()).isSameAs(first);
        var job = Rows.waitingJob(1, Rows.job("j", 1, 1));
        mirror.take(Rows.waiting(3, job));
        assertThat(mirror.waiting()).containsExactly(job);
        mirror.take(new Changes(
                "e",
                4,
                List.of(),
                List.of(job.job()),
                List.of(),
                List.of(),
                Map.of(),
                Map.of(),
                List.of(Rows.QUEUE),
                List.of(),
                Map.of()));
        assertThat(mirror.waiting()).isEmpty();
        assertThat(mirror.snapshot().queues().queues()).isEmpty();
        assertThat(mirror.cursor()).isEqualTo("e");
    }

    @Test
    void theSnapshotTellsWhatIsAskedForLatelyWhateverBecameOfIt() {
        var waits = Rows.waitingJob(1, Rows.job("waits", 10, 8, "h100"));
        var ended = Rows.waitingJob(2, Rows.job("ended", 6, 1));
        mirror.take(Rows.waiting(3, waits));
        assertThat(mirror.snapshot().mix()).isEqualTo(Mix.UNKNOWN);
        Changes changes = new Changes(
                "c",
                4,
                List.of(waits),
                List.of(ended.job()),
                List.of(),
                List.of(),
                Map.of(),
                Map.of(),
                List.of(),
                List.of(new RecentJob(ended.job(), ended.submittedAtMicros(), ended.podSets())),
                Map.of());
        mirror.take(changes);
        Mix mix = mirror.snapshot().mix();
        assertThat(mix.asks())
                .containsExactly(
                        new Mix.Ask(new PodShape(8, 1_000, 0, 0), List.of("h100"), 10),
                        new Mix.Ask(new PodShape(1, 1_000, 0, 0), List.of(), 6));
        mirror.take(changes);
        assertThat(mirror.snapshot().mix()).isSameAs(mix);
        assertThat(mirror.emptySnapshot().mix()).isSameAs(mix);
    }

    /** What is brought up to date must be what would be laid out anew, and old snapshots must stay as they were. */
    @Test
    void whatIsSharedBetweenSnapshotsIsWhatWouldBeLaidOutAnew() {
        for (int seed = 0; seed < 200; seed++) {
            Random random = new Random(seed);
            FleetMirror kept = new FleetMirror(Rows.LEVELS);
            List<Changes> past = new ArrayList<>();
            Snapshot before = null;
            String told = "";
            for (int step = 0; step < 20; step++) {
                Changes changes = randomChanges(random, step);
                past.add(changes);
                kept.take(changes);
                FleetMirror anew = new FleetMirror(Rows.LEVELS);
                past.forEach(anew::take);
                Snapshot now = kept.snapshot();
                assertThat(text(now)).as("seed %d step %d", seed, step).isEqualTo(text(anew.snapshot()));
                assertThat(before == null ? "" : text(before)).isEqualTo(told);
                before = now;
                told = text(now);
            }
        }
    }

    private static Changes randomChanges(Random random, int step) {
        List<NodeRow> nodes = new ArrayList<>();
        Map<NodeId, List<DeviceRow>> devices = new HashMap<>();
        for (int i = 0; i < random.nextInt(3); i++) {
            NodeId id = new NodeId(1 + random.nextInt(5));
            nodes.add(new NodeRow(
                    id,
                    new ClusterId(1),
                    "east",
                    "n" + id.value(),
                    random.nextInt(20) == 0 ? "other" : "h100",
                    List.of("b" + id.value() % 2, random.nextInt(30) == 0 ? "moved" : "r"),
                    random.nextInt(20) == 0 ? new NodeTraits(Map.of("pool", "a"), List.of()) : NodeTraits.NONE,
                    random.nextInt(4) > 0,
                    random.nextInt(3) == 0 ? step + random.nextInt(4) : 0,
                    random.nextInt(12) == 0,
                    random.nextInt(20) == 0 ? 2_000 : 1_000,
                    1_000,
                    110,
                    random.nextInt(3) * 100L,
                    random.nextInt(3) * 100L,
                    random.nextInt(3),
                    List.of()));
            if (random.nextInt(3) > 0) {
                List<DeviceRow> rows = new ArrayList<>();
                for (int d = 0; d < 2 + random.nextInt(20) / 19; d++) {
                    int units = random.nextInt(3) == 0 ? 1 << random.nextInt(7) : 0;
                    int held = units == 0 ? random.nextInt(3) * 500 : MigLayout.UNIT_MILLI;
                    rows.add(new DeviceRow(
                            id.value() * 10 + d, d, 0, random.nextInt(5) > 0, held, "a100-40gb", units, ""));
                }
                devices.put(id, rows);
            }
        }
        return new Changes(
                "c" + step,
                step,
                List.of(),
                List.of(),
                List.of(),
                nodes,
                devices,
                Map.of(),
                List.of(),
                List.of(),
                Map.of());
    }

    private static String text(Snapshot snapshot) {
        FleetArrays fleet = snapshot.fleet();
        return snapshot.names()
                + Arrays.toString(fleet.nodeId())
                + Arrays.toString(fleet.flavor())
                + Arrays.deepToString(fleet.domain())
                + Arrays.toString(fleet.open())
                + Arrays.toString(fleet.cpuFreeMilli())
                + Arrays.toString(fleet.memoryFreeMib())
                + Arrays.toString(fleet.podsFree())
                + Arrays.toString(fleet.deviceUnits())
                + Arrays.toString(fleet.migLayout())
                + Arrays.toString(fleet.firstDevice())
                + Arrays.toString(fleet.deviceId())
                + Arrays.toString(fleet.deviceFreeMilli())
                + Arrays.toString(fleet.deviceWhole())
                + Arrays.toString(fleet.island())
                + Arrays.toString(fleet.cpuMilli())
                + snapshot.queues();
    }
}
