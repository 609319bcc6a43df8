package dev.tutti.testkit.memory;

import dev.tutti.control.Actor;
import dev.tutti.control.JobBook;
import dev.tutti.control.Ledger;
import dev.tutti.model.JobId;
import dev.tutti.model.Violation;
import dev.tutti.model.job.JobSpec;
import dev.tutti.model.life.EndCause;
import dev.tutti.model.life.JobLife;
import dev.tutti.model.life.JobRun;
import dev.tutti.model.life.Reason;
import dev.tutti.model.life.ReasonCode;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
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
        List<JobId> ids = new ArrayList<>();
        submission.specs().forEach(spec -> ids.add(store(spec)));
        byte[] bytes = submission.answer().apply(ids);
        if (key != null) {
            store.answers.put(key, new Answer(submission.bodyHash(), bytes, store.now()));
        }
        return new Submitted.Stored(bytes, false);
    }

    private List<Violation> violations(JobSpec spec) {
        Rows.Queue queue = store.queue(spec.queue());
        return queue != null && queue.leaf ? List.of() : List.of(new Violation("queue", "is no leaf queue"));
    }

    private JobId store(JobSpec spec) {
        JobId id = new JobId(new UUID(0x7000L, store.nextId()));
        Rows.Queue queue = store.queue(spec.queue());
        Rows.Job job = new Rows.Job(id, spec, queue, store.now());
        job.reason = new Reason(ReasonCode.NOT_YET_EVALUATED, null, 0, 0, "not looked at yet");
        store.jobs.put(id, job);
        store.stamp(job);
        return id;
    }

    @Override
    public Stopped stop(JobId id, EndCause cause, @Nullable Long version, Actor.Caller caller) {
        Rows.Job job = store.jobs.get(id);
        if (job == null) {
            return new Stopped.NotFound();
        }
        if (version != null && version != job.version) {
            return new Stopped.Stale(job.version);
        }
        JobRun before = MemoryLedger.run(job);
        JobRun after = JobLife.stop(before, cause);
        boolean changed = !after.equals(before);
        if (changed) {
            ledger.apply(List.of(new Ledger.Change(before, after)), caller);
        }
        return new Stopped.Now(job.state, job.version, changed);
    }
}
