package dev.tutti.testkit.memory;

import dev.tutti.model.JobId;
import dev.tutti.model.life.JobState;
import dev.tutti.model.queue.Quota;
import dev.tutti.model.queue.QuotaResource;
import dev.tutti.model.queue.Use;
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
                        job.spec.lane(),
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
    public List<JobId> parents(JobId id) {
        return store.jobs.get(id).spec.dependsOn();
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
    public Map<String, Use> used() {
        Map<String, Use> used = new HashMap<>();
        store.queues
                .values()
                .forEach(queue -> queue.used.forEach((key, use) -> {
                    if (key.resource() == QuotaResource.GPU_MILLI && use.total() != 0) {
                        used.put(queue.path + "/" + key.flavor(), use);
                    }
                }));
        return used;
    }

    @Override
    public Map<String, Quota> quotas() {
        Map<String, Quota> quotas = new HashMap<>();
        store.queues
                .values()
                .forEach(queue -> queue.quotas.forEach((key, quota) -> {
                    if (key.resource() == QuotaResource.GPU_MILLI) {
                        quotas.put(queue.path + "/" + key.flavor(), quota);
                    }
                }));
        return quotas;
    }

    @Override
    public List<String> queues() {
        return store.queues.values().stream().map(queue -> queue.path).toList();
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
