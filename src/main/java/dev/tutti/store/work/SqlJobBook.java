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
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;
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
        Parents parents = Parents.find(sql, submission.specs());
        List<List<Violation>> violations = parents.refuse(
                submission.specs(), Deadlines.refuse(sql, submission.specs(), queues.violations(submission.specs())));
        if (!violations.stream().allMatch(List::isEmpty)) {
            throw new NothingStored(new Submitted.Refused(violations));
        }
        List<List<Violation>> closed = QueueDoors.refuse(
                sql,
                submission.specs().stream().map(queues::id).toList(),
                submission.caller().name());
        if (!closed.stream().allMatch(List::isEmpty)) {
            throw new NothingStored(new Submitted.NotNow(closed));
        }
        List<JobSpec> specs = submission.linked(fresh);
        List<NewJob> jobs = new ArrayList<>();
        for (int i = 0; i < fresh.size(); i++) {
            JobSpec spec = specs.get(i);
            jobs.add(new NewJob(fresh.get(i), queues.id(spec), spec, parents.keepWaiting(spec)));
        }
        JobWriter.write(sql, jobs, submission.caller());
        parents.write(sql, jobs);
        return new Submitted.Stored(answer, false);
    }

    @Override
    public List<List<Violation>> closed(List<JobSpec> specs, Actor.Caller caller) {
        return transactions.read("the doors of queues", sql -> {
            LeafQueues queues = LeafQueues.find(sql, specs);
            return QueueDoors.look(sql, specs.stream().map(queues::idOrNone).toList(), caller.name());
        });
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
    public Steered stop(JobId job, EndCause cause, @Nullable Long version, Actor.Caller caller) {
        return steer("a stop", job, version, (sql, run) -> write(sql, run, JobLife.stop(run, cause), caller));
    }

    @Override
    public Steered suspend(JobId job, @Nullable Long version, Actor.Caller caller) {
        return steer(
                "a suspension",
                job,
                version,
                (sql, run) -> JobLife.comesBack(run) ? write(sql, run, JobLife.suspend(run), caller) : over(run));
    }

    @Override
    public Steered resume(JobId job, @Nullable Long version, Actor.Caller caller) {
        return steer(
                "a resumption",
                job,
                version,
                (sql, run) -> JobLife.comesBack(run) ? write(sql, run, JobLife.resume(run), caller) : over(run));
    }

    @Override
    public Steered change(JobId job, UnaryOperator<JobSpec> patch, @Nullable Long version, Actor.Caller caller) {
        return steer(
                "a change",
                job,
                version,
                (sql, run) -> JobLife.comesBack(run) ? SpecWriter.write(sql, run, patch, caller) : over(run));
    }

    @Override
    public Steered scale(JobId job, @Nullable String podSet, int count, @Nullable Long version, Actor.Caller caller) {
        return steer(
                "a scaling",
                job,
                version,
                (sql, run) -> JobLife.comesBack(run) ? SpecWriter.scale(sql, run, podSet, count, caller) : over(run));
    }

    /** One transaction that holds the job's row. */
    private Steered steer(
            String what, JobId job, @Nullable Long version, BiFunction<JdbcClient, JobRun, Steered> work) {
        return transactions.write(what, sql -> {
            Optional<Long> locked = lock(sql, job);
            if (locked.isEmpty()) {
                return new Steered.NotFound();
            }
            return version != null && !version.equals(locked.get())
                    ? new Steered.Stale(locked.get())
                    : work.apply(sql, RunReader.runs(sql, List.of(job)).get(0));
        });
    }

    private static Optional<Long> lock(JdbcClient sql, JobId job) {
        return sql.sql("SELECT version FROM jobs WHERE id = :job FOR NO KEY UPDATE")
                .param("job", job.value())
                .query(Long.class)
                .optional();
    }

    private static Steered write(JdbcClient sql, JobRun before, JobRun after, Actor.Caller caller) {
        if (after.equals(before)) {
            return new Steered.Now(before.state(), before.version(), false);
        }
        RunWriter.write(sql, List.of(new Change(before, after)), caller);
        return new Steered.Now(after.state(), before.version() + 1, true);
    }

    private static Steered over(JobRun run) {
        return new Steered.Over(run.state(), run.stopping());
    }
}
