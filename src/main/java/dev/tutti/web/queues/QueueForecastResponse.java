package dev.tutti.web.queues;

import dev.tutti.control.intake.QueueForecast;
import dev.tutti.model.QueueId;
import dev.tutti.model.life.Reason;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What a change of a queue would do. */
@Schema(
        name = "QueueForecast",
        description = "What the next decision would do otherwise if the queue were changed so now: the real engine on"
                + " today's state, nothing written. What it does not do because of the change is not listed. Each list"
                + " shows the first 100 in order of consideration; total counts all. Jobs that are protected now, because"
                + " they started lately, may have to leave later.")
record QueueForecastResponse(
        @Schema(description = "Running jobs that would be asked to leave because of it, and for whom.")
        Evictions evictions,

        @Schema(description = "Waiting jobs that would start at once because of it.")
        Jobs starts,

        @Schema(description = "Jobs that would start now and, with the change, would go on waiting.")
        Jobs delays,

        @Schema(description = "Jobs that would wait for another reason than without the change.")
        Jobs verdicts,

        @Schema(
                description = "Quotas of which green and yellow jobs hold more, now or after the change: largest"
                        + " over-use first. Nothing is stopped for that alone; nothing more starts there until it is paid"
                        + " back, and others may take it back.")
        List<OverUse> overUse,

        @Schema(
                description =
                        "Limits of what runs of which more is held, now or after the change: largest first. Nothing"
                                + " is stopped for that; nothing more starts there until enough has ended.")
        List<OverLimit> overLimits) {

    /** @param path finds the path of a queue; empty text for one that is gone */
    static QueueForecastResponse of(QueueForecast forecast, Function<QueueId, String> path) {
        return new QueueForecastResponse(
                new Evictions(
                        forecast.evictions().total(),
                        forecast.evictions().gpuMilli(),
                        forecast.evictions().items().stream()
                                .map(one -> Eviction.of(one, path))
                                .toList()),
                new Jobs(
                        forecast.starts().total(),
                        forecast.starts().gpuMilli(),
                        forecast.starts().items().stream()
                                .map(one -> new Job(
                                        one.job().toString(),
                                        path.apply(one.queue()),
                                        one.gpuMilli(),
                                        null,
                                        null,
                                        null))
                                .toList()),
                Jobs.of(forecast.delays(), path),
                Jobs.of(forecast.verdicts(), path),
                forecast.overUse().stream().map(one -> OverUse.of(one, path)).toList(),
                forecast.overLimits().stream()
                        .map(one -> OverLimit.of(one, path))
                        .toList());
    }

    @Schema(name = "QueueForecastEvictions", description = "Running jobs that would give way.")
    record Evictions(
            int total,

            @Schema(description = "What would become free, in thousandths of a GPU.")
            long gpuMilli,

            List<Eviction> items) {}

    @Schema(name = "QueueForecastEviction", description = "A running job that would give way.")
    record Eviction(
            @Schema(description = "Id of the running job.") String job,
            @Schema(description = "Path of its queue.") String queue,

            @Schema(description = "How many of its members would leave.")
            int members,

            @Schema(description = "Whether it would stop; else it runs on with fewer members.")
            boolean whole,

            @Schema(description = "What would become free, in thousandths of a GPU.")
            long gpuMilli,

            @Schema(
                    description = "PREEMPTED: for a stronger job of its own queue. RECLAIMED: for a job of another.",
                    example = "RECLAIMED")
            String cause,

            @Schema(description = "Id of the waiting job that gets it.")
            String beneficiary) {

        static Eviction of(QueueForecast.Eviction one, Function<QueueId, String> path) {
            return new Eviction(
                    one.job().toString(),
                    path.apply(one.queue()),
                    one.members(),
                    one.whole(),
                    one.gpuMilli(),
                    one.cause().name(),
                    one.beneficiary().toString());
        }
    }

    @Schema(name = "QueueForecastJobs", description = "Waiting jobs.")
    record Jobs(
            int total,

            @Schema(description = "What they take, or ask for at the least, in thousandths of a GPU.")
            long gpuMilli,

            List<Job> items) {

        static Jobs of(QueueForecast.Some<QueueForecast.Verdict> some, Function<QueueId, String> path) {
            return new Jobs(
                    some.total(),
                    some.gpuMilli(),
                    some.items().stream().map(one -> Job.of(one, path)).toList());
        }
    }

    @Schema(name = "QueueForecastJob", description = "A waiting job.")
    record Job(
            @Schema(description = "Id of the job.") String job,
            @Schema(description = "Path of its queue.") String queue,

            @Schema(description = "What it takes, or asks for at the least, in thousandths of a GPU.")
            long gpuMilli,

            @Schema(description = "Why it waits without the change; absent when it would start.") @Nullable
            String before,

            @Schema(description = "Why it would wait with the change.", example = "QUEUE_HELD") @Nullable
            String after,

            @Schema(description = "The same as a sentence.") @Nullable
            String detail) {

        static Job of(QueueForecast.Verdict one, Function<QueueId, String> path) {
            Reason after = one.after();
            return new Job(
                    one.job().toString(),
                    path.apply(one.queue()),
                    one.gpuMilli(),
                    one.before() == null ? null : one.before().name(),
                    after == null ? null : after.code().name(),
                    after == null ? null : after.detail());
        }
    }

    @Schema(name = "QueueForecastOverLimit", description = "What is held above a limit of a queue.")
    record OverLimit(
            @Schema(description = "Path of the queue.") String queue,

            @Schema(description = "The field that sets the limit.", example = "maxRunningJobs")
            String limit,

            @Schema(description = "What is held now; of a limit of each user, by the one who holds most.")
            long used,

            @Schema(description = "How much of it is above the limit now; 0 without one.")
            long before,

            @Schema(description = "How much of it would be above the limit; 0 without one.")
            long after) {

        static OverLimit of(QueueForecast.OverLimit one, Function<QueueId, String> path) {
            return new OverLimit(path.apply(one.queue()), one.limit(), one.used(), one.before(), one.after());
        }
    }

    @Schema(name = "QueueForecastOverUse", description = "What is held above a nominal quota.")
    record OverUse(
            @Schema(description = "Path of the queue.") String queue,

            @Schema(example = "h100-sxm") String flavor,

            @Schema(description = "gpuMilli, cpuMilli or memoryMib: the unit of the amounts.", example = "gpuMilli")
            String resource,

            @Schema(description = "What green and yellow jobs hold now.")
            long used,

            @Schema(description = "How much of it is above the nominal quota now; 0 without one.")
            long before,

            @Schema(description = "How much of it would be above the nominal quota; 0 without one.")
            long after) {

        static OverUse of(QueueForecast.OverUse one, Function<QueueId, String> path) {
            return new OverUse(
                    path.apply(one.queue()),
                    one.key().flavor(),
                    one.key().resource().word(),
                    one.used(),
                    one.before(),
                    one.after());
        }
    }
}
