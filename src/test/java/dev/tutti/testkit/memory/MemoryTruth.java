package dev.tutti.testkit.memory;

import dev.tutti.model.JobId;
import dev.tutti.model.life.JobState;
import dev.tutti.testkit.Truth;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

final class MemoryTruth implements Truth {

    private final MemoryStore store;

    MemoryTruth(MemoryStore store) {
        this.store = store;
    }

    @Override
    public List<Job> live() {
        return store.live.values().stream()
                .map(job -> new Job(
                        job.id,
                        job.queue.path,
                        job.state,
                        job.attempt,
                        job.members.stream().map(MemoryTruth::member).toList()))
                .toList();
    }

    private static Member member(Rows.Allocation one) {
        return new Member(
                one.id,
                one.rank,
                one.node.cluster.name,
                one.node.name,
                one.flavor,
                one.devices.stream().map(device -> device.index).toList(),
                one.deviceMilli,
                one.mig,
                one.phase,
                one.podUid);
    }

    @Override
    public Map<JobId, JobState> states() {
        Map<JobId, JobState> states = new HashMap<>();
        store.jobs.values().forEach(job -> states.put(job.id, job.state));
        return states;
    }

    @Override
    public String describe(JobId id) {
        Rows.Job job = store.jobs.get(id);
        return job.id + " " + job.state + " in attempt " + job.attempt + ", " + job.reason + ", " + job.queue.path + " "
                + job.spec.podSets() + " " + job.spec.topology();
    }

    @Override
    public Map<String, Long> heldMilli() {
        Map<String, Long> held = new HashMap<>();
        for (Rows.Node node : store.nodes.values()) {
            for (Rows.Device device : node.devices) {
                if (device.heldMilli != 0) {
                    held.put(node.cluster.name + "/" + node.name + "/" + device.index, (long) device.heldMilli);
                }
            }
        }
        return held;
    }

    @Override
    public Map<String, Long> usedMilli() {
        Map<String, Long> used = new HashMap<>();
        store.queues
                .values()
                .forEach(queue -> queue.usedMilli.forEach((flavor, milli) -> {
                    if (milli != 0) {
                        used.put(queue.path + "/" + flavor, milli);
                    }
                }));
        return used;
    }

    @Override
    public Map<String, Long> nominalMilli() {
        Map<String, Long> nominal = new HashMap<>();
        store.queues
                .values()
                .forEach(queue ->
                        queue.nominalMilli.forEach((flavor, milli) -> nominal.put(queue.path + "/" + flavor, milli)));
        return nominal;
    }

    @Override
    public int openTasks() {
        return store.openTasks.size();
    }

    @Override
    public long term() {
        return store.leadership.term();
    }
}
