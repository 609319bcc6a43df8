package dev.tutti.testkit.memory;

import dev.tutti.control.Actor;
import dev.tutti.control.JobBook;
import dev.tutti.control.Ledger;
import dev.tutti.control.intake.PastDeadline;
import dev.tutti.control.intake.QueueDoor;
import dev.tutti.control.intake.Scaling;
import dev.tutti.control.intake.SpecChange;
import dev.tutti.model.JobId;
import dev.tutti.model.Violation;
import dev.tutti.model.job.JobSpec;
import dev.tutti.model.life.EndCause;
import dev.tutti.model.life.JobLife;
import dev.tutti.model.life.JobRun;
import dev.tutti.model.life.JobState;
import dev.tutti.model.queue.QueueLimits;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

final class MemoryJobBook implements JobBook {

    private final MemoryStore store;
    private final MemoryLedger ledger;

    MemoryJobBook(MemoryStore store) {
        this.store = store;
        this.ledger = new MemoryLedger(store);
    }

    private static final long DAY_MICROS = 86_400_000_000L;

    record Answer(String bodyHash, byte[] bytes, long at) {}

    @Override
    public Submitted submit(Submission submission) {
        String key = submission.key() == null ? null : submission.caller().name() + '\0' + submission.key();
        Answer before = key == null ? null : store.answers.get(key);
        if (before != null && store.now() - before.at > DAY_MICROS) {
            before = null;
        }
        if (before != null) {
            return before.bodyHash.equals(submission.bodyHash())
                    ? new Submitted.Stored(before.bytes, true)
                    : new Submitted.KeyReused();
        }
        List<List<Violation>> violations =
                submission.specs().stream().map(this::violations).toList();
        if (!violations.stream().allMatch(List::isEmpty)) {
            return new Submitted.Refused(violations);
        }
        List<List<Violation>> closed = closed(submission.specs(), submission.caller());
        if (!closed.stream().allMatch(List::isEmpty)) {
            return new Submitted.NotNow(closed);
        }
        List<JobId> ids = new ArrayList<>();
        submission.specs().forEach(spec -> ids.add(new JobId(new UUID(0x7000L, store.nextId()))));
        List<JobSpec> linked = submission.linked(ids);
        for (int i = 0; i < ids.size(); i++) {
            store(ids.get(i), linked.get(i), submission.caller().name());
        }
        ids.forEach(id -> link(store.jobs.get(id)));
        byte[] bytes = submission.answer().apply(ids);
        if (key != null) {
            store.answers.put(key, new Answer(submission.bodyHash(), bytes, store.now()));
        }
        return new Submitted.Stored(bytes, false);
    }

    @Override
    public List<List<Violation>> closed(List<JobSpec> specs, Actor.Caller caller) {
        String user = caller.name();
        Map<Rows.Queue, QueueDoor> doors = new HashMap<>();
        List<List<Violation>> closed = new ArrayList<>();
        for (JobSpec spec : specs) {
            List<QueueDoor> onTheWay = new ArrayList<>();
            for (Rows.Queue queue = store.queue(spec.queue()); queue != null; queue = queue.parent) {
                if (queue.rules.draining() || !queue.rules.limits().equals(QueueLimits.NONE)) {
                    onTheWay.add(0, doors.computeIfAbsent(queue, one -> door(one, user)));
                }
            }
            closed.add(QueueDoor.enter(onTheWay));
        }
        return closed;
    }

    private QueueDoor door(Rows.Queue queue, String user) {
        List<Rows.Job> waiting = store.jobs.values().stream()
                .filter(job -> job.state == JobState.QUEUED || job.state == JobState.SUSPENDED)
                .filter(job -> job.queue.isIn(queue))
                .toList();
        long ofUser = waiting.stream().filter(job -> job.user.equals(user)).count();
        return new QueueDoor(queue.path, queue.rules, user, waiting.size(), ofUser);
    }

    private List<Violation> violations(JobSpec spec) {
        Rows.Queue queue = store.queue(spec.queue());
        if (queue == null || !queue.leaf) {
            return List.of(new Violation("queue", "is no leaf queue"));
        }
        if (!store.jobs.keySet().containsAll(spec.dependsOn())) {
            return List.of(new Violation("dependsOn", "there is no such job"));
        }
        return PastDeadline.of(spec, store.now()).map(List::of).orElse(List.of());
    }

    private void link(Rows.Job job) {
        job.parents = job.spec.dependsOn().stream().map(store.jobs::get).toList();
        job.waits = job.parents.stream().anyMatch(parent -> parent.state != JobState.SUCCEEDED);
        job.reason = job.waits && job.state == JobState.QUEUED ? MemoryLedger.DEPENDENCY : job.reason;
    }

    private void store(JobId id, JobSpec spec, String user) {
        Rows.Queue queue = store.queue(spec.queue());
        Rows.Job job = new Rows.Job(id, spec, queue, user, store.now());
        job.state = JobLife.first(spec.suspended());
        job.suspend = spec.suspended();
        job.reason = spec.suspended() ? MemoryLedger.SUSPENDED : MemoryLedger.NOT_LOOKED_AT;
        job.queuedSince = store.now();
        store.jobs.put(id, job);
        store.stamp(job);
    }

    @Override
    public Steered stop(JobId id, EndCause cause, @Nullable Long version, Actor.Caller caller) {
        return steer(id, version, (job, run) -> write(job, run, JobLife.stop(run, cause), caller));
    }

    @Override
    public Steered suspend(JobId id, @Nullable Long version, Actor.Caller caller) {
        return steer(
                id,
                version,
                (job, run) -> JobLife.comesBack(run) ? write(job, run, JobLife.suspend(run), caller) : over(run));
    }

    @Override
    public Steered resume(JobId id, @Nullable Long version, Actor.Caller caller) {
        return steer(
                id,
                version,
                (job, run) -> JobLife.comesBack(run) ? write(job, run, JobLife.resume(run), caller) : over(run));
    }

    @Override
    public Steered change(JobId id, UnaryOperator<JobSpec> patch, @Nullable Long version, Actor.Caller caller) {
        return steer(id, version, (job, run) -> JobLife.comesBack(run) ? change(job, run, patch) : over(run));
    }

    private Steered change(Rows.Job job, JobRun run, UnaryOperator<JobSpec> patch) {
        SpecChange change = new SpecChange(job.spec, patch.apply(job.spec));
        if (change.never(store.now()).isPresent()) {
            return new Steered.Refused(change.never(store.now()).get(), false);
        }
        if (change.notNow(run.state()).isPresent()) {
            return new Steered.Refused(change.notNow(run.state()).get(), true);
        }
        if (!change.isEmpty()) {
            job.spec = change.after();
            job.version++;
            store.stamp(job);
        }
        return new Steered.Now(job.state, job.version, !change.isEmpty());
    }

    @Override
    public Steered scale(JobId id, @Nullable String podSet, int count, @Nullable Long version, Actor.Caller caller) {
        return steer(
                id,
                version,
                (job, run) -> JobLife.comesBack(run)
                        ? scale(job, Scaling.of(job.spec, run, podSet, count), caller)
                        : over(run));
    }

    private Steered scale(Rows.Job job, Scaling scaling, Actor.Caller caller) {
        if (scaling.notNow().isPresent()) {
            return new Steered.Refused(scaling.notNow().get(), true);
        }
        job.spec = scaling.after();
        if (!scaling.was().equals(scaling.is())) {
            return write(job, scaling.was(), scaling.is(), caller);
        }
        job.version += scaling.isEmpty() ? 0 : 1;
        store.stamp(job);
        return new Steered.Now(job.state, job.version, !scaling.isEmpty());
    }

    private Steered steer(JobId id, @Nullable Long version, BiFunction<Rows.Job, JobRun, Steered> work) {
        Rows.Job job = store.jobs.get(id);
        if (job == null) {
            return new Steered.NotFound();
        }
        return version != null && version != job.version
                ? new Steered.Stale(job.version)
                : work.apply(job, MemoryLedger.run(job));
    }

    private Steered write(Rows.Job job, JobRun before, JobRun after, Actor.Caller caller) {
        boolean changed = !after.equals(before);
        if (changed) {
            ledger.apply(List.of(new Ledger.Change(before, after)), caller);
        }
        return new Steered.Now(job.state, job.version, changed);
    }

    private static Steered over(JobRun run) {
        return new Steered.Over(run.state(), run.stopping());
    }
}
