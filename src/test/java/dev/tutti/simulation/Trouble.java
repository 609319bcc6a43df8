package dev.tutti.simulation;

import dev.tutti.control.PodMarks;
import dev.tutti.model.PodName;
import dev.tutti.model.fleet.PodSighting;
import dev.tutti.model.life.MemberPhase;
import dev.tutti.simulator.Witness;
import dev.tutti.simulator.faults.FaultRates;
import dev.tutti.simulator.fleet.NodeSpec;
import dev.tutti.testkit.Truth;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Makes machines, clusters, database and processes fail under the seed, and mends them again. */
final class Trouble {

    private final World world;
    private final TreeMap<Long, List<Runnable>> mending = new TreeMap<>();
    private final Set<String> busyNodes = new HashSet<>();
    private int strangers;
    private boolean over;

    Trouble(World world) {
        this.world = world;
    }

    void turn() {
        while (!mending.isEmpty() && mending.firstKey() <= world.tape.tick) {
            mending.pollFirstEntry().getValue().forEach(Runnable::run);
        }
        if (world.tape.tick > world.setting.lastTrouble()) {
            if (!over) {
                end();
            }
            return;
        }
        machines();
        pods();
        if (!world.databaseAway && world.strikes(4)) {
            world.tape.count(Fault.DATABASE_AWAY, "");
            world.databaseAway = true;
            later(2 + world.chance.nextInt(25), () -> world.databaseAway = false);
        }
        world.replicas.forEach(this::process);
        world.sites.forEach(this::network);
    }

    private void end() {
        over = true;
        mending.values().forEach(all -> all.forEach(Runnable::run));
        mending.clear();
        world.weather.become(FaultRates.NONE);
        world.weather.clear();
        world.replicas.forEach(replica -> replica.lightFuse(-1));
        world.tape.say("all is mended");
    }

    private void later(long ticks, Runnable mend) {
        mending.computeIfAbsent(world.tape.tick + ticks, tick -> new ArrayList<>())
                .add(mend);
    }

    private void process(Replica replica) {
        if (!replica.isUp()) {
            return;
        }
        if (world.strikes(3)) {
            world.tape.count(Fault.REPLICA_RESTARTED, replica.name);
            replica.crash(world.chance.nextInt(15));
        } else if (world.strikes(5)) {
            replica.lightFuse(world.chance.nextInt(30));
        } else if (world.strikes(replica.believesToLead() ? 6 : 2)) {
            world.tape.count(Fault.LEADER_PAUSED, replica.name);
            replica.standStill(5 + world.chance.nextInt(50), world.chance.nextInt(12));
        }
    }

    private void network(Site site) {
        if (!site.refusing && world.strikes(2)) {
            world.tape.count(Fault.PODS_REFUSED_BY_ADMISSION, site.name);
            site.refusing = true;
            later(20 + world.chance.nextInt(150), () -> site.refusing = false);
        }
        if (!site.away && world.strikes(3)) {
            world.tape.count(Fault.CLUSTER_AWAY, site.name);
            site.away = true;
            site.cluster.faults().interruptWatches();
            later(5 + world.chance.nextInt(90), () -> {
                site.away = false;
                site.cluster.faults().mendWatches();
            });
        } else if (!site.away && world.strikes(3)) {
            world.tape.count(Fault.WATCH_INTERRUPTED, site.name);
            site.cluster.faults().interruptWatches();
            later(3 + world.chance.nextInt(40), () -> {
                if (!site.away) {
                    site.cluster.faults().mendWatches();
                }
            });
        }
    }

    private void machines() {
        if (!world.strikes(60)) {
            return;
        }
        Site site = world.sites.get(world.chance.nextInt(world.sites.size()));
        NodeSpec spec = site.nodes.get(world.chance.nextInt(site.nodes.size()));
        String node = spec.name();
        if (!busyNodes.add(node)) {
            return;
        }
        int ticks = 3 + world.chance.nextInt(150);
        switch (world.chance.nextInt(7)) {
            case 0 -> {
                world.tape.count(Fault.NODE_POWER_LOST, node);
                site.cluster.faults().losePower(node);
                if (world.chance.nextInt(3) == 0) {
                    world.tape.count(Fault.NODE_OBJECT_REMOVED, node + " (it has no power)");
                    site.cluster.faults().removeNodeObject(node);
                }
                later(ticks, () -> mend(node, () -> site.cluster.faults().returnNode(node)));
            }
            case 1 -> {
                world.tape.count(Fault.NODE_PARTITIONED, node);
                site.cluster.faults().partition(node);
                later(ticks, () -> mend(node, () -> site.cluster.faults().returnNode(node)));
            }
            case 2 -> {
                world.tape.count(Fault.NODE_OBJECT_REMOVED, node);
                site.cluster.faults().removeNodeObject(node);
                later(ticks, () -> mend(node, () -> site.cluster.faults().returnNode(node)));
            }
            case 3 -> {
                world.tape.count(Fault.NODE_CORDONED, node);
                site.cluster.faults().cordon(node, true);
                later(ticks, () -> mend(node, () -> site.cluster.faults().cordon(node, false)));
            }
            case 4 -> {
                world.tape.count(Fault.IMAGES_MISSING, node);
                site.cluster.faults().missImages(node, true);
                later(ticks / 3, () -> mend(node, () -> site.cluster.faults().missImages(node, false)));
            }
            case 5 -> {
                int device = world.chance.nextInt(spec.gpus());
                world.tape.count(Fault.DEVICE_UNHEALTHY, node + "/" + device);
                site.cluster.faults().deviceHealth(node, device, false);
                later(ticks, () -> mend(node, () -> site.cluster.faults().deviceHealth(node, device, true)));
            }
            default -> occupy(site, spec, ticks);
        }
    }

    private void mend(String node, Runnable action) {
        busyNodes.remove(node);
        action.run();
    }

    /** Another's pod sits on a device that the ledger believes free, so the kubelet will refuse ours. */
    private void occupy(Site site, NodeSpec spec, int ticks) {
        Set<Integer> used = new HashSet<>();
        site.cluster.witness().running().stream()
                .filter(run -> run.node().equals(spec.name()))
                .map(Witness.Run::devices)
                .forEach(used::addAll);
        int device = world.chance.nextInt(spec.gpus());
        if (used.contains(device)) {
            busyNodes.remove(spec.name());
            return;
        }
        String name = "stranger-" + ++strangers;
        world.tape.say(name + " on " + spec.name() + "/" + device);
        site.cluster.faults().addForeignPod(name, spec.name(), List.of(device), Map.of());
        later(
                ticks,
                () -> mend(spec.name(), () -> {
                    if (site.cluster.annotations(name) != null) {
                        site.cluster.faults().endContainers(name, 0);
                    }
                }));
    }

    private void pods() {
        if (world.strikes(12)) {
            withRunningPod((site, pod) -> {
                world.tape.count(Fault.POD_FORCE_DELETED, pod.name());
                site.cluster.faults().forceDelete(pod.name());
            });
        }
        if (world.strikes(6)) {
            withRunningPod((site, pod) -> {
                world.tape.count(Fault.ANNOTATION_EDITED, pod.name());
                String nonsense =
                        world.chance.nextBoolean() ? "-1; DROP TABLE" : Integer.toString(world.chance.nextInt(500));
                site.cluster.faults().annotate(pod.name(), PodMarks.ALLOCATION, nonsense);
            });
        }
        if (world.strikes(10)) {
            takeAName();
        }
    }

    private interface PodAction {
        void on(Site site, PodSighting pod);
    }

    private void withRunningPod(PodAction action) {
        Site site = world.sites.get(world.chance.nextInt(world.sites.size()));
        List<PodSighting> pods = site.view.pods().stream()
                .filter(pod -> pod.node() != null && pod.exitCode() == null)
                .toList();
        if (!pods.isEmpty()) {
            action.on(site, pods.get(world.chance.nextInt(pods.size())));
        }
    }

    /** Somebody makes a pod with the very name that a member will need, on some node, claiming to be it. */
    private void takeAName() {
        for (Truth.Job job : world.live) {
            for (Truth.Member member : job.members()) {
                String name = PodName.of(job.id(), job.attempt(), member.rank());
                Site site = world.sites.stream()
                        .filter(one -> one.name.equals(member.cluster()))
                        .findFirst()
                        .orElseThrow();
                if (member.phase() == MemberPhase.COMMITTED && site.cluster.annotations(name) == null) {
                    String node = world.chance.nextBoolean()
                            ? null
                            : site.nodes
                                    .get(world.chance.nextInt(site.nodes.size()))
                                    .name();
                    world.tape.count(Fault.POD_NAME_TAKEN_BY_STRANGER, name + " on " + node);
                    site.cluster
                            .faults()
                            .addForeignPod(
                                    name,
                                    node,
                                    List.of(),
                                    Map.of(PodMarks.ALLOCATION, world.chance.nextBoolean() ? "7" : "999999"));
                    return;
                }
            }
        }
    }
}
