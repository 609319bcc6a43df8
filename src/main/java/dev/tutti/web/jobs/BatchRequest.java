package dev.tutti.web.jobs;

import dev.tutti.web.jobs.form.JobRequest;
import io.swagger.v3.oas.annotations.media.ArraySchema;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** Many jobs. Each is read by itself, so that one bad job refuses only itself. */
@Schema(name = "BatchRequest", description = "1 to 1000 jobs; a bad one is refused, the others are stored.")
record BatchRequest(
        @ArraySchema(schema = @Schema(implementation = JobRequest.class), minItems = 1, maxItems = 1000)
        List<JsonNode> jobs) {

    static final int MOST = 1_000;
}
