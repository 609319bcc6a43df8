package dev.tutti.store.work;

import dev.tutti.control.Actor;
import dev.tutti.control.JobBook;
import dev.tutti.control.Ledger.Change;
import dev.tutti.model.JobId;
import dev.tutti.model.Violation;
import dev.tutti.model.job.JobSpec;
import dev.tutti.model.life.EndCause;
import dev.tutti.model.life.JobLife;
import dev.tutti.model.life.JobRun;
import dev.tutti.store.IdempotencyKeys;
import dev.tutti.store.IdempotencyKeys.First;
import dev.tutti.store.NothingStored;
import dev.tutti.store.SqlTransactions;
import dev.tutti.store.ledger.RunReader;
import dev.tutti.store.ledger.RunWriter;
import dev.tutti.store.work.JobWriter.NewJob;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Jobs in PostgreSQL: a submission of any size is a handful of statements and one durable commit. */
@Component
public final class SqlJobBook implements JobBook {

    private final SqlTransactions transactions;
    private final JobIds ids = new JobIds(System::currentTimeMillis);

    public SqlJobBook(SqlTransactions transactions) {
        this.transactions = transactions;
    }

    @Override
    public Submitted submit(Submission submission) {
        List<JobId> fresh = submission.specs().stream().map(spec -> ids.next()).toList();
        byte[] answer = submission.answer().apply(fresh);
        return NothingStored.or(
                Submitted.class,
                () -> transactions.write("a submission", sql -> submit(sql, submission, fresh, answer)));
    }

    private static Submitted submit(JdbcClient sql, Submission submission, List<JobId> fresh, byte[] answer) {
        Optional<First> earlier = IdempotencyKeys.take(sql, submission.call(), answer);
        if (earlier.isPresent()) {
            return earlier(earlier.get());
        }
        LeafQueues queues = LeafQueues.find(sql, submission.specs());
        List<List<Violation>> violations = queues.violations(submission.specs());
        if (!violations.stream().allMatch(List::isEmpty)) {
            throw new NothingStored(new Submitted.Refused(violations));
        }
        List<NewJob> jobs = new ArrayList<>();
        for (int i = 0; i < fresh.size(); i++) {
            JobSpec spec = submission.specs().get(i);
            jobs.add(new NewJob(fresh.get(i), queues.id(spec), spec));
        }
        JobWriter.write(sql, jobs, submission.caller());
        return new Submitted.Stored(answer, false);
    }

    private static Submitted earlier(First first) {
        if (first instanceof First.Answered answered) {
            return new Submitted.Stored(answered.answer(), true);
        }
        if (first instanceof First.Running) {
            throw new NothingStored(new Submitted.KeyBusy());
        }
        return new Submitted.KeyReused();
    }

    @Override
    public Stopped stop(JobId job, EndCause cause, @Nullable Long version, Actor.Caller caller) {
        return transactions.write("a stop", sql -> stop(sql, job, cause, version, caller));
    }

    private static Stopped stop(
            JdbcClient sql, JobId job, EndCause cause, @Nullable Long version, Actor.Caller caller) {
        Optional<Long> locked = sql.sql("SELECT version FROM jobs WHERE id = :job FOR NO KEY UPDATE")
                .param("job", job.value())
                .query(Long.class)
                .optional();
        if (locked.isEmpty()) {
            return new Stopped.NotFound();
        }
        if (version != null && !version.equals(locked.get())) {
            return new Stopped.Stale(locked.get());
        }
        JobRun before = RunReader.runs(sql, List.of(job)).get(0);
        JobRun after = JobLife.stop(before, cause);
        if (after.equals(before)) {
            return new Stopped.Now(before.state(), before.version(), false);
        }
        RunWriter.write(sql, List.of(new Change(before, after)), caller);
        return new Stopped.Now(after.state(), before.version() + 1, true);
    }
}
