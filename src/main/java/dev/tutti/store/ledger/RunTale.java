package dev.tutti.store.ledger;

import dev.tutti.control.Actor;
import dev.tutti.model.life.JobState;
import dev.tutti.model.life.Member;
import dev.tutti.store.stream.Journal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What is told of written runs: one event for every state a job entered, one audit row for every decision. */
final class RunTale {

    private RunTale() {}

    static Journal tell(List<RunStep> steps, Actor actor) {
        Journal journal = new Journal();
        steps.forEach(step -> tellOfLeavers(journal, step, actor));
        steps.stream().filter(RunStep::tells).forEach(step -> tell(journal, step, actor));
        return journal;
    }

    /** Members that leave while the job runs on; of a job that stops its state tells it. */
    private static void tellOfLeavers(Journal journal, RunStep step, Actor actor) {
        List<Member> leavers = step.leavers();
        if (leavers.isEmpty()) {
            return;
        }
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("ranks", leavers.stream().map(Member::rank).toList());
        facts.put("cause", Objects.requireNonNull(leavers.get(0).leaving()));
        if (step.beneficiary() != null) {
            facts.put("leavingFor", step.beneficiary().value());
        }
        facts.put("attempt", step.after().attempt());
        facts.put("version", step.before().version() + 1);
        journal.event("job.members", step.job().toString(), facts);
        journal.audit(
                actor,
                "job.members",
                step.job().toString(),
                Map.of("version", step.before().version()),
                facts);
    }

    private static void tell(Journal journal, RunStep step, Actor actor) {
        String job = step.job().toString();
        JobState between = step.between();
        if (between != null) {
            journal.event("job.state", job, facts(step, step.before().state(), between));
        }
        journal.event(
                "job.state",
                job,
                facts(
                        step,
                        between == null ? step.before().state() : between,
                        step.after().state()));
        journal.audit(
                actor,
                "job.state",
                job,
                Map.of("state", step.before().state(), "version", step.before().version()),
                facts(step, null, step.after().state()));
    }

    private static Map<String, Object> facts(RunStep step, @Nullable JobState from, JobState to) {
        Map<String, Object> facts = new LinkedHashMap<>();
        if (from != null) {
            facts.put("from", from);
        }
        facts.put("to", to);
        if (to != JobState.RUNNING && step.after().stopping() != null) {
            facts.put("cause", step.after().stopping());
        }
        if (to == JobState.STOPPING && step.madeWayFor() != null) {
            facts.put("stoppingFor", step.madeWayFor());
        } else if (step.stoppedFor() != null) {
            facts.put("stoppedFor", step.stoppedFor());
        }
        if (to == JobState.STOPPING && step.after().suspend() != step.before().suspend()) {
            facts.put("suspend", step.after().suspend());
        }
        facts.put("attempt", step.after().attempt());
        facts.put("version", step.before().version() + 1);
        if (step.requeued() && to == JobState.QUEUED) {
            facts.put("backOffSeconds", step.delay().toSeconds());
        }
        return facts;
    }
}
