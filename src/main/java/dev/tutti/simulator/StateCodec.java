package dev.tutti.simulator;

import dev.tutti.model.fleet.MigInstance;
import dev.tutti.model.fleet.NicGroup;
import dev.tutti.model.fleet.PodSighting.Phase;
import dev.tutti.simulator.journal.Fields;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** How pods, containers and nodes are written down, and read again. */
final class StateCodec {

    private StateCodec() {}

    static String pod(PodObject pod) {
        Fields.Writer out = new Fields.Writer();
        out.text(pod.name).text(pod.uid).flag(pod.ours);
        needs(out, pod.needs);
        out.number(pod.annotations.size());
        pod.annotations.forEach((key, value) -> out.text(key).text(value));
        out.number(pod.version).optional(pod.node).text(pod.phase.name()).flag(pod.terminating);
        out.optional(pod.exitCode).text(pod.reason);
        nics(out, pod.needs.nics());
        return out.toString();
    }

    static PodObject pod(String line) {
        Fields.Reader in = new Fields.Reader(line);
        String name = in.text();
        String uid = in.text();
        boolean ours = in.flag();
        PodNeeds needs = needs(in);
        Map<String, String> annotations = annotations(in);
        long version = in.number();
        String node = in.optional();
        Phase phase = Phase.valueOf(in.text());
        boolean terminating = in.flag();
        Integer exitCode = mapped(in.optional(), Integer::valueOf);
        String reason = in.text();
        PodObject pod = new PodObject(name, uid, ours, needs.with(nics(in)), annotations);
        pod.version = version;
        pod.node = node;
        pod.phase = phase;
        pod.terminating = terminating;
        pod.exitCode = exitCode;
        pod.reason = reason;
        return pod;
    }

    private static Map<String, String> annotations(Fields.Reader in) {
        Map<String, String> annotations = new TreeMap<>();
        for (long left = in.number(); left > 0; left--) {
            String key = in.text();
            annotations.put(key, in.text());
        }
        return annotations;
    }

    static String container(String node, Container container) {
        Fields.Writer out = new Fields.Writer();
        out.text(node).text(container.podUid).text(container.podName);
        needs(out, container.needs);
        out.text(container.state.name()).text(container.due.toString()).number(container.exitCode);
        out.flag(container.stopping).text(container.since.toString());
        nics(out, container.needs.nics());
        return out.toString();
    }

    /** A container and the name of the node it is on. */
    record Placed(String node, Container container) {}

    static Placed container(String line) {
        Fields.Reader in = new Fields.Reader(line);
        String node = in.text();
        String uid = in.text();
        String name = in.text();
        PodNeeds needs = needs(in);
        Container.State state = Container.State.valueOf(in.text());
        Instant due = Instant.parse(in.text());
        int exitCode = (int) in.number();
        boolean stopping = in.flag();
        Instant since = Instant.parse(in.text());
        Container container = new Container(uid, name, needs.with(nics(in)), due);
        container.state = state;
        container.exitCode = exitCode;
        container.stopping = stopping;
        container.since = since;
        return new Placed(node, container);
    }

    static String machine(Machine machine) {
        Fields.Writer out = new Fields.Writer();
        out.flag(machine.powered).flag(machine.connected).flag(machine.imagesMissing);
        out.number(machine.boots).flag(machine.registered).number(machine.registrations);
        out.flag(machine.ready).flag(machine.cordoned).optional(machine.silentSince);
        numbers(out, machine.sickDevices);
        return out.toString();
    }

    static void restore(Machine machine, String line) {
        Fields.Reader in = new Fields.Reader(line);
        machine.powered = in.flag();
        machine.connected = in.flag();
        machine.imagesMissing = in.flag();
        machine.boots = (int) in.number();
        machine.registered = in.flag();
        machine.registrations = (int) in.number();
        machine.ready = in.flag();
        machine.cordoned = in.flag();
        machine.silentSince = mapped(in.optional(), Instant::parse);
        machine.sickDevices.addAll(numbers(in));
    }

    private static void needs(Fields.Writer out, PodNeeds needs) {
        out.number(needs.cpuMilli()).number(needs.memoryMib());
        numbers(out, needs.devices());
        out.text(taken(needs)).text(needs.grace().toString());
        out.optional(needs.runtime()).number(needs.exitCode());
    }

    /** Milli-GPU of a device, and behind it the MIG instance that is meant: profile, start and units. */
    private static String taken(PodNeeds needs) {
        MigInstance mig = needs.mig();
        return needs.milliPerDevice()
                + (mig == null ? "" : " " + mig.profile() + " " + mig.start() + " " + mig.units());
    }

    private static @Nullable MigInstance mig(String[] taken) {
        return taken.length == 1
                ? null
                : new MigInstance(taken[1], Integer.parseInt(taken[2]), Integer.parseInt(taken[3]));
    }

    private static PodNeeds needs(Fields.Reader in) {
        long cpuMilli = in.number();
        long memoryMib = in.number();
        List<Integer> devices = numbers(in);
        String[] taken = in.text().split(" ");
        return new PodNeeds(
                cpuMilli,
                memoryMib,
                devices,
                Integer.parseInt(taken[0]),
                mig(taken),
                Duration.parse(in.text()),
                mapped(in.optional(), Duration::parse),
                (int) in.number(),
                List.of());
    }

    /** At the end of what is written: what was written before pods had NICs ends there. */
    private static void nics(Fields.Writer out, List<NicGroup> nics) {
        nics.forEach(group -> out.text(group.resource()).text(group.place()).number(group.count()));
    }

    private static List<NicGroup> nics(Fields.Reader in) {
        List<NicGroup> nics = new ArrayList<>();
        while (in.hasMore()) {
            String resource = in.text();
            String place = in.text();
            nics.add(new NicGroup(resource, place, (int) in.number()));
        }
        return nics;
    }

    private static void numbers(Fields.Writer out, Collection<Integer> numbers) {
        out.number(numbers.size());
        numbers.forEach(out::number);
    }

    private static List<Integer> numbers(Fields.Reader in) {
        List<Integer> numbers = new ArrayList<>();
        for (long left = in.number(); left > 0; left--) {
            numbers.add((int) in.number());
        }
        return numbers;
    }

    private static <T> @Nullable T mapped(@Nullable String text, Function<String, T> read) {
        return text == null ? null : read.apply(text);
    }
}
