package dev.tutti.boot.loops;

import dev.tutti.control.Actor;
import dev.tutti.control.JobBook;
import dev.tutti.model.JobId;
import dev.tutti.model.Violation;
import dev.tutti.model.job.JobSpec;
import dev.tutti.model.life.EndCause;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A job book that wakes the loops of this process after a change, so that they need not poll often. */
final class RingingJobBook implements JobBook {

    private final JobBook book;
    private final Bells bells;

    RingingJobBook(JobBook book, Bells bells) {
        this.book = book;
        this.bells = bells;
    }

    @Override
    public Submitted submit(Submission submission) {
        Submitted submitted = book.submit(submission);
        bells.cycle().ring();
        return submitted;
    }

    @Override
    public List<List<Violation>> closed(List<JobSpec> specs, Actor.Caller caller) {
        return book.closed(specs, caller);
    }

    @Override
    public Steered stop(JobId job, EndCause cause, @Nullable Long version, Actor.Caller caller) {
        return ringing(book.stop(job, cause, version, caller));
    }

    @Override
    public Steered suspend(JobId job, @Nullable Long version, Actor.Caller caller) {
        return ringing(book.suspend(job, version, caller));
    }

    @Override
    public Steered resume(JobId job, @Nullable Long version, Actor.Caller caller) {
        return ringing(book.resume(job, version, caller));
    }

    @Override
    public Steered change(JobId job, UnaryOperator<JobSpec> patch, @Nullable Long version, Actor.Caller caller) {
        return ringing(book.change(job, patch, version, caller));
    }

    @Override
    public Steered scale(JobId job, @Nullable String podSet, int count, @Nullable Long version, Actor.Caller caller) {
        return ringing(book.scale(job, podSet, count, version, caller));
    }

    private Steered ringing(Steered steered) {
        bells.binders().ring();
        bells.cycle().ring();
        return steered;
    }
}
