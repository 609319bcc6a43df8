package dev.tutti.simulation;

import dev.tutti.model.PodName;
import dev.tutti.model.fleet.PodSighting;
import dev.tutti.model.life.MemberPhase;
import dev.tutti.testkit.Truth;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** I8: once nothing goes wrong any more, every difference between ledger and clusters is gone within a minute. */
final class Agreement {

    private static final int TICKS = 60;

    private final World world;
    private final Map<String, Long> since = new HashMap<>();

    Agreement(World world) {
        this.world = world;
    }

    /** @param quietTicks ticks since things last went wrong; negative before */
    void check(long quietTicks) {
        if (quietTicks < 0) {
            return;
        }
        Set<String> differences = differences();
        since.keySet().retainAll(differences);
        differences.forEach(one -> since.putIfAbsent(one, world.tape.tick));
        since.forEach((difference, tick) -> {
            if (world.tape.tick - tick > TICKS) {
                throw world.violation("I8", "for " + (world.tape.tick - tick) + " s: " + difference);
            }
        });
    }

    /** After the last job: nothing is held, used, left to do, or left behind. */
    void checkEmpty() {
        Truth truth = world.database.truth();
        world.users.checkNoneTwice(world.states);
        if (!truth.heldMilli().isEmpty() || truth.openTasks() > 0) {
            throw world.violation("I8", truth.heldMilli() + " is held, " + truth.openTasks() + " tasks are open");
        }
        if (!truth.used().isEmpty()) {
            throw world.violation("I4", truth.used() + " is used by nobody");
        }
        for (Site site : world.sites) {
            site.cluster.witness().running().stream()
                    .filter(run -> site.ours.contains(run.podUid()))
                    .findFirst()
                    .ifPresent(run -> {
                        throw world.violation("I8", "still running: " + run);
                    });
        }
    }

    private Set<String> differences() {
        Set<String> differences = new HashSet<>();
        Map<String, Truth.Member> wanted = new HashMap<>();
        for (Truth.Job job : world.live) {
            for (Truth.Member member : job.members()) {
                if (member.isHeld()) {
                    String name = PodName.of(job.id(), job.attempt(), member.rank());
                    wanted.put(name, member);
                    compare(name, member, differences);
                }
            }
        }
        for (Site site : world.sites) {
            site.pods.values().stream()
                    .filter(pod -> !wanted.containsKey(pod.name()))
                    .forEach(pod -> differences.add("nobody wants " + pod.name() + " " + pod.uid()));
        }
        return differences;
    }

    private void compare(String name, Truth.Member member, Set<String> differences) {
        PodSighting pod = world.sites.stream()
                .filter(site -> site.name.equals(member.cluster()))
                .findFirst()
                .orElseThrow()
                .pods
                .get(name);
        boolean bound = member.phase() == MemberPhase.BOUND || member.phase() == MemberPhase.RUNNING;
        if (bound && pod == null) {
            differences.add(name + " is " + member.phase() + " and has no pod");
        } else if (pod != null && bound && !member.node().equals(pod.node())) {
            differences.add(name + " is on " + pod.node() + ", not on " + member.node());
        } else if (pod != null && pod.exitCode() != null) {
            differences.add(name + " has ended and is " + member.phase());
        } else if (pod != null
                && pod.phase() == PodSighting.Phase.RUNNING
                && member.phase().compareTo(MemberPhase.RUNNING) < 0) {
            differences.add(name + " runs and is " + member.phase());
        }
    }
}
