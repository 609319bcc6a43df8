package dev.tutti.web.jobs;

import dev.tutti.control.JobBook.Steered;
import dev.tutti.model.InvalidInput;
import dev.tutti.model.life.JobState;
import dev.tutti.web.calls.Versions;
import dev.tutti.web.jobs.form.JobPaths;
import dev.tutti.web.problem.Problem;
import dev.tutti.web.problem.ProblemFound;
import dev.tutti.web.problem.ProblemKind;
import java.util.List;

/** What became of a wish about a job, as an answer or a problem. */
final class SteeredAnswers {

    private SteeredAnswers() {}

    /** The job's state after the wish; throws the problem that says why there is none. */
    static Steered.Now now(Steered steered) {
        if (steered instanceof Steered.Now now) {
            return now;
        }
        if (steered instanceof Steered.Over over) {
            throw new ProblemFound(ProblemKind.CONFLICT, sentence(over));
        }
        if (steered instanceof Steered.Refused refused) {
            throw refused(refused);
        }
        throw steered instanceof Steered.Stale stale ? Versions.stale(stale.version()) : JobPaths.notFound();
    }

    private static RuntimeException refused(Steered.Refused refused) {
        return refused.now()
                ? new ProblemFound(new Problem(
                        ProblemKind.CONFLICT,
                        refused.violation().field() + " " + refused.violation().message(),
                        List.of(refused.violation()),
                        null))
                : new InvalidInput(List.of(refused.violation()));
    }

    private static String sentence(Steered.Over over) {
        String how = over.state() == JobState.STOPPING ? "is stopping for good" : "has ended as " + over.state();
        return "the job " + how + (over.cause() == null ? "" : " (" + over.cause() + ")")
                + " and never runs again; submit it anew to run it once more";
    }
}
