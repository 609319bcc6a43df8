package dev.tutti.web.jobs.form;

import dev.tutti.model.job.DisruptionBudget;
import dev.tutti.model.job.JobSpec;
import dev.tutti.model.job.Preemption;
import dev.tutti.web.input.Violations;
import io.swagger.v3.oas.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/** How a job is stopped and on what terms it gives way, asked for and shown. */
@Schema(name = "Preemption", description = "How the job is stopped, and on what terms it gives way to others.")
public record PreemptionForm(
        @Schema(
                description = "Time between the signal to stop and the kill.",
                minimum = "0",
                maximum = "3600",
                defaultValue = "30")
        @Nullable
        Integer graceSeconds,

        @Schema(
                description = "Whether it may have to give way to another job. Only a green job may refuse, because it"
                        + " runs on its queue's nominal quota alone and nothing lent is kept from anybody.",
                defaultValue = "true")
        @Nullable
        Boolean preemptible,

        @Schema(
                description = "It writes a checkpoint whenever it has run for so long. Of two jobs that could give way"
                        + " the one is chosen that loses less since its last; absent: it loses all it did.",
                minimum = "1",
                maximum = "315360000",
                example = "1800")
        @Nullable
        Integer checkpointIntervalSeconds,

        @Schema(description = "How often it can stand to give way; absent: as often as needed.") @Nullable
        BudgetForm disruptionBudget) {

    private static final int GRACE_SECONDS = 30;

    /** What a job says that says nothing else. */
    public PreemptionForm(@Nullable Integer graceSeconds) {
        this(graceSeconds, null, null, null);
    }

    /** A bound on evictions. */
    @Schema(
            name = "DisruptionBudget",
            description =
                    "After so many evictions of the whole job within the time, it is no victim until the first of"
                            + " them is so long ago. Members that an elastic job can do without are not counted. Not for red jobs.")
    record BudgetForm(
            @Schema(minimum = "1", maximum = "100", example = "2")
            Integer evictions,

            @Schema(minimum = "60", maximum = "86400", example = "86400")
            Integer perSeconds) {}

    static int graceSeconds(@Nullable PreemptionForm form) {
        return form == null || form.graceSeconds == null ? GRACE_SECONDS : form.graceSeconds;
    }

    /** The terms; those of every job, with violations added whose fields begin with {@code path}, where they are wrong. */
    static Preemption terms(@Nullable PreemptionForm form, String path, Violations violations) {
        Preemption terms = form == null ? null : violations.build(path, form::terms);
        return terms == null ? Preemption.ALWAYS : terms;
    }

    private Preemption terms() {
        DisruptionBudget budget = disruptionBudget == null
                ? null
                : new DisruptionBudget(disruptionBudget.evictions, disruptionBudget.perSeconds);
        return new Preemption(preemptible == null || preemptible, checkpointIntervalSeconds, budget);
    }

    public static PreemptionForm of(JobSpec spec) {
        Preemption terms = spec.preemption();
        DisruptionBudget budget = terms.budget();
        return new PreemptionForm(
                spec.graceSeconds(),
                terms.preemptible(),
                terms.checkpointIntervalSeconds(),
                budget == null ? null : new BudgetForm(budget.evictions(), budget.perSeconds()));
    }
}
