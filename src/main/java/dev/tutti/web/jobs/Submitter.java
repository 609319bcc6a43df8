package dev.tutti.web.jobs;

import dev.tutti.control.Actor;
import dev.tutti.control.JobBook.Submission;
import dev.tutti.control.JobBook.Submitted;
import dev.tutti.control.intake.Forecast;
import dev.tutti.control.intake.JobIntake;
import dev.tutti.model.JobId;
import dev.tutti.model.Violation;
import dev.tutti.model.job.JobSpec;
import dev.tutti.web.calls.Keys;
import dev.tutti.web.problem.Problem;
import dev.tutti.web.problem.ProblemFound;
import dev.tutti.web.problem.ProblemKind;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import tools.jackson.databind.json.JsonMapper;

/** Hands jobs to the intake and makes problems of what it will not take. */
@Component
public final class Submitter {

    private final JobIntake intake;
    private final JsonMapper mapper;

    Submitter(JobIntake intake, JsonMapper mapper) {
        this.intake = intake;
        this.mapper = mapper;
    }

    /** Who sends what under which key. */
    public record Call(String caller, @Nullable String key, String bodyHash) {

        public Call {
            Keys.checked(key);
        }
    }

    /** Stored now or before: the answer's bytes; or what is wrong with each job, in order. */
    sealed interface Taken {
        record Answer(byte[] bytes) implements Taken {}

        /** @param kind VALIDATION, or CONFLICT for what may be right at another time */
        record Wrong(ProblemKind kind, List<List<Violation>> violations) implements Taken {}
    }

    Taken take(Call call, List<JobSpec> specs, List<List<Integer>> links, Function<List<JobId>, Object> answer) {
        Submitted submitted = intake.submit(new Submission(
                new Actor.Caller(call.caller()),
                call.key(),
                call.bodyHash(),
                specs,
                links,
                ids -> mapper.writeValueAsBytes(answer.apply(ids))));
        if (submitted instanceof Submitted.Stored stored) {
            return new Taken.Answer(stored.answer());
        }
        if (submitted instanceof Submitted.Refused refused) {
            return new Taken.Wrong(ProblemKind.VALIDATION, refused.violations());
        }
        if (submitted instanceof Submitted.NotNow later) {
            return new Taken.Wrong(ProblemKind.CONFLICT, later.violations());
        }
        throw submitted instanceof Submitted.KeyReused ? Keys.reused() : Keys.busy();
    }

    /** One job, with what is to be expected of it: the answer's bytes. */
    public byte[] submit(Call call, JobSpec spec, BiFunction<JobId, EstimateResponse, Object> answer) {
        EstimateResponse estimate = EstimateResponse.of(intake.estimate(spec, new Actor.Caller(call.caller())));
        Taken taken = take(call, List.of(spec), List.of(List.of()), ids -> answer.apply(ids.get(0), estimate));
        if (taken instanceof Taken.Answer stored) {
            return stored.bytes();
        }
        Taken.Wrong wrong = (Taken.Wrong) taken;
        List<Violation> violations = wrong.violations().get(0);
        throw wrong.kind() == ProblemKind.CONFLICT
                ? notNow(violations)
                : new ProblemFound(Problem.violations(wrong.kind(), violations));
    }

    private static ProblemFound notNow(List<Violation> violations) {
        return new ProblemFound(
                new Problem(ProblemKind.CONFLICT, violations.get(0).message(), violations, null));
    }

    /** One job, not stored. */
    public ForecastResponse forecast(JobSpec spec, String caller) {
        Actor.Caller user = new Actor.Caller(caller);
        List<Violation> closed = intake.closed(spec, user);
        if (!closed.isEmpty()) {
            throw notNow(closed);
        }
        Forecast forecast = intake.dryRun(List.of(spec), user).get(0);
        if (!forecast.violations().isEmpty()) {
            throw new ProblemFound(Problem.violations(ProblemKind.VALIDATION, forecast.violations()));
        }
        return ForecastResponse.of(forecast);
    }

    List<Forecast> forecast(List<JobSpec> specs, String caller) {
        return intake.dryRun(specs, new Actor.Caller(caller));
    }

    /** Path of the new job that the answer speaks of. */
    public String location(byte[] answer) {
        return mapper.readTree(answer).path("href").asString();
    }
}
