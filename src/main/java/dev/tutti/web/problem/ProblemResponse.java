package dev.tutti.web.problem;

import dev.tutti.model.Violation;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;

/** A problem as it is sent: RFC 9457 with {@code code}, {@code violations} and {@code traceId}. */
@Schema(name = "Problem", description = "What is wrong (RFC 9457).")
public record ProblemResponse(
        @Schema(description = "Path of a page that explains this kind of problem.", example = "/problems/validation")
        String type,

        @Schema(description = "The kind in words.") String title,

        @Schema(description = "The HTTP status.", example = "400")
        int status,

        @Schema(description = "This case in one sentence.") String detail,

        @Schema(description = "Path of the request.") String instance,

        @Schema(description = "The kind as a token.") ProblemKind code,

        @Schema(description = "What is wrong with which field; empty where it is not about fields.")
        List<Violation> violations,

        @Schema(description = "Finds the request in the logs.")
        String traceId) {}
