package dev.tutti.simulation;

import dev.tutti.control.Actor;
import dev.tutti.control.Deposed;
import dev.tutti.control.OutcomeUnknown;
import dev.tutti.control.view.ChangeFeed;
import dev.tutti.testkit.Ports;
import java.lang.reflect.Method;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One process's way to its database and its clusters: where calls and replies get lost and where it may end. */
final class Wire {

    private static final Set<String> INVENTORY = Set.of("observe", "retain", "reach");
    private static final Set<String> WITH_UNKNOWN = Set.of("commit", "apply", "remember");

    private final World world;
    private final String name;

    /** Calls until the process ends inside one; negative for never. */
    int fuse = -1;

    Wire(World world, String name) {
        this.world = world;
        this.name = name;
    }

    <T> T database(Class<T> port, T real) {
        return Ports.around(port, real, this::query);
    }

    /** Ends the process before or after a call to a cluster; what else goes wrong there is the weather's. */
    <T> T cluster(Class<T> port, T real) {
        return Ports.around(port, real, (method, call) -> {
            burn();
            Object answer = call.call();
            burn();
            return answer;
        });
    }

    private @Nullable Object query(Method method, Ports.Call call) {
        burn();
        if (world.databaseAway) {
            throw new Away(method.getName());
        }
        boolean known = WITH_UNKNOWN.contains(method.getName());
        if (world.strikes(4)) {
            world.tape.count(known ? Fault.COMMIT_LOST : Fault.DATABASE_CALL_LOST, method.getName());
            throw lost(method, known);
        }
        Object before = isOld(call) && INVENTORY.contains(method.getName()) ? inventory() : null;
        Object answer;
        try {
            answer = call.call();
        } catch (Deposed deposed) {
            world.tape.count(Fault.LEADER_DEPOSED, name + " in " + method.getName());
            throw deposed;
        }
        if (answer instanceof OptionalLong granted && granted.isPresent()) {
            world.term = Math.max(world.term, granted.getAsLong());
        }
        boolean nothingToDo = answer instanceof Integer done && done == 0;
        if (isOld(call) && !nothingToDo && (before == null || !before.equals(inventory()))) {
            throw world.violation("I7", method.getName() + " of an earlier term was accepted in term " + world.term);
        }
        burn();
        if (world.strikes(4)) {
            world.tape.count(known ? Fault.COMMIT_REPLY_LOST : Fault.DATABASE_REPLY_LOST, method.getName());
            throw lost(method, known);
        }
        return answer;
    }

    private static RuntimeException lost(Method method, boolean known) {
        return known ? new OutcomeUnknown(method.getName(), new Away(method.getName())) : new Away(method.getName());
    }

    /** I7: what is written as a leader is written by the leader. Where there is nothing to do, nothing is written. */
    private boolean isOld(Ports.Call call) {
        for (Object argument : call.arguments()) {
            if (argument instanceof Actor.Leader leader && leader.term() < world.term) {
                return true;
            }
        }
        return false;
    }

    /** What an old leader may say of nodes, as long as it is nothing new: then nothing is written and no term asked for. */
    private Object inventory() {
        ChangeFeed.Changes all = world.database.feed().since(null);
        return List.of(Set.copyOf(all.nodes()), all.devices());
    }

    private void burn() {
        if (fuse >= 0 && fuse-- == 0) {
            world.tape.count(Fault.REPLICA_CRASHED_INSIDE_A_STEP, name);
            throw new Crash();
        }
    }
}
