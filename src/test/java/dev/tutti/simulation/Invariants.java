package dev.tutti.simulation;

import dev.tutti.model.AllocationId;
import dev.tutti.model.JobId;
import dev.tutti.model.PodName;
import dev.tutti.model.fleet.MigInstance;
import dev.tutti.model.fleet.MigLayouts;
import dev.tutti.model.fleet.MigProfile;
import dev.tutti.model.fleet.NicGroup;
import dev.tutti.model.fleet.PodSighting;
import dev.tutti.model.life.JobState;
import dev.tutti.model.life.MemberPhase;
import dev.tutti.model.queue.Quota;
import dev.tutti.model.queue.Use;
import dev.tutti.simulator.Witness;
import dev.tutti.simulator.fleet.NodeSpec;
import dev.tutti.testkit.QuotaOracle;
import dev.tutti.testkit.Truth;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What must hold at every tick, whatever goes wrong. Computed from rows and machines, never from the loops' own memory. */
final class Invariants {

    private static final Pattern NOT_FREE = Pattern.compile("device (\\d+) is not free(?: for (\\S+) at (\\d+))?");
    private static final Pattern NIC_NOT_FREE = Pattern.compile("(rdma/\\S+) is not free at \"(.*)\"");
    private static final int PARTLY_BOUND_TICKS = 60 + 15;

    private final World world;
    private Map<AllocationId, MemberPhase> phases = new HashMap<>();
    private Map<JobId, JobState> states = new HashMap<>();
    private final Map<JobId, Integer> attempts = new HashMap<>();
    private final Map<JobId, Integer> partlyBound = new HashMap<>();
    private final Map<String, Optional<PodName>> names = new HashMap<>();
    private final Set<String> refused = new HashSet<>();
    private final Set<AllocationId> instances = new HashSet<>();
    private final Set<String> withNics = new HashSet<>();

    Invariants(World world) {
        this.world = world;
    }

    long attempts() {
        return attempts.values().stream().mapToLong(Integer::longValue).sum();
    }

    /** Pods that ran with RDMA NICs. */
    long withNics() {
        return withNics.size();
    }

    long instances() {
        return instances.size();
    }

    void check() {
        Truth truth = world.database.truth();
        List<Truth.Job> live = world.live;
        devicesInTheLedger(truth, live);
        devicesInTheMachines();
        nicsInTheMachines();
        quota(truth, live);
        refusals();
        gangs(live);
        oneAttempt();
        lives(live);
        world.users.checkParents(live);
    }

    /** I1: no device is given away twice, and what the rows say is held is what the members hold. */
    private void devicesInTheLedger(Truth truth, List<Truth.Job> live) {
        unitsInTheLedger(live);
        Map<String, Long> held = new HashMap<>();
        for (Truth.Job job : live) {
            for (Truth.Member member : job.members()) {
                if (member.isHeld()) {
                    member.devices()
                            .forEach(device -> held.merge(
                                    member.cluster() + "/" + member.node() + "/" + device,
                                    (long) member.milliPerDevice(),
                                    Long::sum));
                }
            }
        }
        held.forEach((device, milli) -> {
            if (milli > 1000) {
                throw world.violation("I1", device + " is given away " + milli + " milli");
            }
        });
        if (!held.equals(truth.heldMilli())) {
            throw world.violation("I1", "members hold " + held + ", the rows say " + truth.heldMilli());
        }
    }

    /** I1 for MIG: no memory unit is given away twice, and a device is in one mode. */
    private void unitsInTheLedger(List<Truth.Job> live) {
        Map<String, Integer> units = new HashMap<>();
        Set<String> others = new HashSet<>();
        for (Truth.Job job : live) {
            for (Truth.Member member : job.members()) {
                for (int device : member.isHeld() ? member.devices() : List.<Integer>of()) {
                    String key = member.cluster() + "/" + member.node() + "/" + device;
                    if (member.mig() == null) {
                        others.add(key);
                    } else if ((units.getOrDefault(key, 0) & member.mig().bits()) != 0) {
                        throw world.violation("I1", key + " has a unit twice in " + member);
                    } else {
                        units.merge(key, member.mig().bits(), (a, b) -> a | b);
                        instances.add(member.id());
                    }
                }
            }
        }
        if (others.stream().anyMatch(units::containsKey)) {
            throw world.violation("I1", "MIG instances " + units + " beside whole pods and shares on " + others);
        }
    }

    /** I2: what really ran on a device never came to more than the device. */
    private void devicesInTheMachines() {
        for (Site site : world.sites) {
            if (site.cluster.witness().overloadCount() > 0) {
                site.cluster.witness().overloads().stream()
                        .filter(one -> site.ours.containsAll(one.podUids()))
                        .findFirst()
                        .ifPresent(one -> {
                            throw world.violation("I2", site.name + " " + one + " " + whose(site, one.podUids()));
                        });
            }
        }
    }

    /** I2 for RDMA NICs: what runs on a machine never has more of them than the machine. */
    private void nicsInTheMachines() {
        for (Site site : world.sites) {
            Map<String, List<NicGroup>> used = new HashMap<>();
            for (Witness.Run run : site.cluster.witness().running()) {
                if (!run.nics().isEmpty()) {
                    used.computeIfAbsent(run.node(), node -> new ArrayList<>()).addAll(run.nics());
                    withNics.add(run.podUid());
                }
            }
            for (NodeSpec node : site.nodes) {
                List<NicGroup> more = new ArrayList<>(used.getOrDefault(node.name(), List.of()));
                node.nics().forEach(group -> more.add(new NicGroup(group.resource(), group.place(), -group.count())));
                if (!NicGroup.merged(more).isEmpty()) {
                    throw world.violation(
                            "I2", site.name + " " + node.name() + " gave too many: " + NicGroup.merged(more));
                }
            }
        }
    }

    private static List<String> whose(Site site, List<String> uids) {
        return site.cluster.witness().runs().stream()
                .filter(run -> uids.contains(run.podUid()))
                .map(run -> run.podName() + " " + run.start() + " to " + run.end())
                .toList();
    }

    /** I4: no quota is exceeded, and what the rows say is used is what the members use. */
    private void quota(Truth truth, List<Truth.Job> live) {
        Map<String, Use> used = new HashMap<>();
        for (Truth.Job job : live) {
            for (Truth.Member member : job.members()) {
                long milli = (long) member.devices().size() * member.milliPerDevice();
                for (String queue = job.queue();
                        member.isHeld() && milli > 0 && !queue.isEmpty();
                        queue = above(queue)) {
                    used.merge(
                            queue + "/" + member.flavor(),
                            Use.NONE.plus(job.lane(), milli),
                            (held, more) -> held.plus(job.lane(), milli));
                }
            }
        }
        if (!used.equals(truth.used())) {
            throw world.violation("I4", "members use " + used + ", the rows say " + truth.used());
        }
        for (String flavor : List.of("h100", "a100")) {
            Map<String, Quota> quotas = ofFlavor(truth.quotas(), flavor);
            List<String> broken = new QuotaOracle(truth.queues(), quotas, ofFlavor(used, flavor)).broken();
            if (!broken.isEmpty()) {
                throw world.violation("I4", flavor + ": " + broken);
            }
        }
    }

    private static <T> Map<String, T> ofFlavor(Map<String, T> byShare, String flavor) {
        Map<String, T> byPath = new HashMap<>();
        byShare.forEach((share, value) -> {
            if (share.endsWith("/" + flavor)) {
                byPath.put(share.substring(0, share.length() - flavor.length() - 1), value);
            }
        });
        return byPath;
    }

    private static String above(String queue) {
        int slash = queue.lastIndexOf('/');
        return slash < 0 ? "" : queue.substring(0, slash);
    }

    /** I2 again: no kubelet ever refuses a pod because another of ours is still on its device. */
    private void refusals() {
        for (Site site : world.sites) {
            for (PodSighting pod : site.pods.values()) {
                if (pod.phase() == PodSighting.Phase.REJECTED && refused.add(pod.uid())) {
                    world.tape.count(Fault.POD_REFUSED_BY_KUBELET, pod.name() + " " + pod.reason());
                    site.cluster.witness().running().stream()
                            .filter(run -> run.node().equals(pod.node())
                                    && run.podName().startsWith("tutti-"))
                            .filter(run -> standsInTheWay(run, pod.reason()))
                            .findFirst()
                            .ifPresent(run -> {
                                throw world.violation("I2", pod.name() + " met " + run.podName() + ": " + pod.reason());
                            });
                }
            }
        }
    }

    /** Whether what runs is what the kubelet meant: of pods that share a device rightly neither is in the other's way. */
    private static boolean standsInTheWay(Witness.Run run, String reason) {
        Matcher nic = NIC_NOT_FREE.matcher(reason);
        if (nic.find()) {
            return run.nics().stream()
                    .anyMatch(group -> group.resource().equals(nic.group(1))
                            && group.place().equals(nic.group(2)));
        }
        Matcher refusal = NOT_FREE.matcher(reason);
        if (!refusal.find() || !run.devices().contains(Integer.parseInt(refusal.group(1)))) {
            return false;
        }
        boolean cut = refusal.group(2) != null;
        if (run.mig() == null || !cut) {
            return run.milli() == 1000 || cut != (run.mig() != null);
        }
        int units = MigLayouts.ALL.stream()
                .flatMap(layout -> layout.profile(refusal.group(2)).stream())
                .mapToInt(MigProfile::units)
                .min()
                .orElseThrow();
        MigInstance wanted = new MigInstance(refusal.group(2), Integer.parseInt(refusal.group(3)), units);
        return (wanted.bits() & run.mig().bits()) != 0;
    }

    /** I3: no gang is partly bound for long, counted while database, clusters and a leader are there. */
    private void gangs(List<Truth.Job> live) {
        Set<JobId> partly = new HashSet<>();
        for (Truth.Job job : live) {
            long bound = job.members().stream()
                    .filter(member -> isBound(job, member))
                    .count();
            if (job.state() == JobState.ALLOCATED
                    && bound > 0
                    && bound < job.members().size()) {
                partly.add(job.id());
                int ticks = partlyBound.merge(job.id(), world.calm ? 1 : 0, Integer::sum);
                if (ticks > PARTLY_BOUND_TICKS) {
                    throw world.violation("I3", job + " is partly bound for " + ticks + " s");
                }
            }
        }
        partlyBound.keySet().retainAll(partly);
    }

    private boolean isBound(Truth.Job job, Truth.Member member) {
        if (member.phase() != MemberPhase.COMMITTED) {
            return true;
        }
        PodSighting pod = site(member.cluster()).pods.get(PodName.of(job.id(), job.attempt(), member.rank()));
        return pod != null && pod.node() != null;
    }

    private Site site(String name) {
        return world.sites.get(0).name.equals(name) ? world.sites.get(0) : world.sites.get(1);
    }

    /** I10: no job runs twice at a time, whatever the rows say. */
    private void oneAttempt() {
        Map<JobId, Integer> running = new HashMap<>();
        for (Site site : world.sites) {
            for (Witness.Run run : site.cluster.witness().running()) {
                if (!site.ours.contains(run.podUid())) {
                    continue;
                }
                names.computeIfAbsent(run.podName(), PodName::parse).ifPresent(name -> {
                    Integer other = running.put(name.job(), name.attempt());
                    if (other != null && other != name.attempt()) {
                        throw world.violation(
                                "I10", "job " + name.job() + " runs in attempts " + other + " and " + name.attempt());
                    }
                });
            }
        }
    }

    /** I5, I6, I10, I11: no job is lost or made twice; attempts, states and phases only go on. */
    private void lives(List<Truth.Job> live) {
        Map<JobId, JobState> now = world.states;
        world.users.checkNoneLost(now);
        states.forEach((job, before) -> {
            JobState state = now.get(job);
            if (before.isFinal() && state != before) {
                throw world.violation("I11", "job " + job + " went from " + before + " to " + state);
            }
        });
        Map<AllocationId, MemberPhase> nowPhases = new HashMap<>();
        for (Truth.Job job : live) {
            attempt(job);
            for (Truth.Member member : job.members()) {
                phase(job, member);
                nowPhases.put(member.id(), member.phase());
            }
        }
        states = now;
        phases = nowPhases;
    }

    private void attempt(Truth.Job job) {
        Integer last = attempts.put(job.id(), job.attempt());
        JobState before = states.get(job.id());
        boolean same = last != null && last == job.attempt();
        boolean back =
                same && before != null && (!before.isLive() || job.state().compareTo(before) < 0);
        if (back || (last != null && job.attempt() < last)) {
            throw world.violation("I11", "job " + job + " was " + before + " in attempt " + last);
        }
    }

    private void phase(Truth.Job job, Truth.Member member) {
        MemberPhase before = phases.get(member.id());
        if (before != null && member.phase().compareTo(before) < 0) {
            throw world.violation("I11", member + " of " + job.id() + " was " + before);
        }
        if (member.phase() == MemberPhase.LOST && before != MemberPhase.LOST) {
            PodSighting pod = site(member.cluster()).pods.get(PodName.of(job.id(), job.attempt(), member.rank()));
            if (pod != null && pod.node() != null && pod.uid().equals(member.podUid())) {
                throw world.violation("R5", member + " is given up as lost while its pod is there: " + pod);
            }
        }
    }
}
