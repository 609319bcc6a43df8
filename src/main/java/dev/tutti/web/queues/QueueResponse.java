package dev.tutti.web.queues;

import dev.tutti.control.read.QueueQueries.QueueView;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One queue. */
@Schema(name = "Queue", description = "Where jobs wait. Queues form a tree; jobs wait only in leaves.")
record QueueResponse(
        @Schema(description = "Opaque.") String id,
        @Schema(example = "research/llm") String path,

        @Schema(description = "Id of the queue above it; absent at the top.") @Nullable
        String parentId,

        @Schema(description = "Whether jobs can wait in it.")
        boolean leaf,

        @Schema(description = "Whether nothing may start from it.")
        boolean held,

        @Schema(
                description =
                        "Quota in thousandths of a GPU by flavor; a flavor that is not named is not limited here.",
                example = "{\"h100-sxm\": 64000}")
        Map<String, Long> nominalMilli,

        @Schema(description = "In use, with all queues below.", example = "{\"h100-sxm\": 16000}")
        Map<String, Long> usedMilli,

        @Schema(description = "Jobs that wait.") long waiting,
        @Schema(description = "Jobs that hold something.") long running) {

    static QueueResponse of(QueueView queue) {
        return new QueueResponse(
                Long.toString(queue.id()),
                queue.path(),
                queue.parent() == null ? null : queue.parent().toString(),
                queue.leaf(),
                queue.held(),
                queue.nominalMilli(),
                queue.usedMilli(),
                queue.waiting(),
                queue.running());
    }
}
