package dev.tutti.web.openapi;

import dev.tutti.web.problem.ProblemKind;
import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.PathItem.HttpMethod;
import io.swagger.v3.oas.models.headers.Header;
import io.swagger.v3.oas.models.media.Content;
import io.swagger.v3.oas.models.media.MediaType;
import io.swagger.v3.oas.models.media.Schema;
import io.swagger.v3.oas.models.media.StringSchema;
import io.swagger.v3.oas.models.parameters.Parameter;
import io.swagger.v3.oas.models.responses.ApiResponse;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Which problems an operation can answer with, read off its form. */
final class ProblemAnswers {

    private static final Set<ProblemKind> ALWAYS = EnumSet.of(
            ProblemKind.VALIDATION,
            ProblemKind.UNAUTHENTICATED,
            ProblemKind.FORBIDDEN,
            ProblemKind.FOREIGN_ORIGIN,
            ProblemKind.NOT_ACCEPTABLE,
            ProblemKind.TOO_MANY_REQUESTS,
            ProblemKind.INTERNAL,
            ProblemKind.UNAVAILABLE);

    private ProblemAnswers() {}

    static void add(HttpMethod method, Operation operation) {
        kinds(method, operation).stream()
                .collect(Collectors.groupingBy(ProblemKind::status))
                .forEach((status, kinds) ->
                        operation.getResponses().addApiResponse(Integer.toString(status), answer(status, kinds)));
    }

    private static Set<ProblemKind> kinds(HttpMethod method, Operation operation) {
        Set<ProblemKind> kinds = EnumSet.copyOf(ALWAYS);
        addIf(has(operation, "path"), kinds, ProblemKind.NOT_FOUND);
        addIf(method != HttpMethod.GET, kinds, ProblemKind.CONFLICT, ProblemKind.OUTCOME_UNKNOWN);
        addIf(
                operation.getRequestBody() != null,
                kinds,
                ProblemKind.MALFORMED,
                ProblemKind.TOO_LARGE,
                ProblemKind.UNSUPPORTED_MEDIA_TYPE);
        addIf(has(operation, "Idempotency-Key"), kinds, ProblemKind.KEY_BUSY, ProblemKind.KEY_REUSED);
        addIf(has(operation, "If-Match"), kinds, ProblemKind.STALE);
        boolean mayGoWithout =
                method == HttpMethod.POST || Set.of("revokeKey", "changeJob").contains(operation.getOperationId());
        addIf(has(operation, "If-Match") && !mayGoWithout, kinds, ProblemKind.PRECONDITION_REQUIRED);
        addIf("submitManifest".equals(operation.getOperationId()), kinds, ProblemKind.MISCONFIGURED);
        addIf("createKey".equals(operation.getOperationId()), kinds, ProblemKind.SHOWN_ONCE);
        addIf(has(operation, "Last-Event-ID"), kinds, ProblemKind.CURSOR_TOO_OLD);
        return kinds;
    }

    private static void addIf(boolean holds, Set<ProblemKind> kinds, ProblemKind... more) {
        if (holds) {
            kinds.addAll(List.of(more));
        }
    }

    /** Whether it has a parameter of this name, or in this place. */
    private static boolean has(Operation operation, String nameOrPlace) {
        List<Parameter> parameters = operation.getParameters() == null ? List.of() : operation.getParameters();
        return parameters.stream()
                .anyMatch(
                        parameter -> nameOrPlace.equals(parameter.getName()) || nameOrPlace.equals(parameter.getIn()));
    }

    private static ApiResponse answer(int status, List<ProblemKind> kinds) {
        String description =
                kinds.stream().map(kind -> kind + ": " + kind.title() + ".").collect(Collectors.joining(" "));
        ApiResponse answer = new ApiResponse()
                .description(description)
                .content(new Content()
                        .addMediaType(
                                "application/problem+json",
                                new MediaType().schema(new Schema<>().$ref("#/components/schemas/Problem"))));
        if (status == 429 || status == 503) {
            answer.addHeaderObject(
                    "Retry-After",
                    new Header()
                            .description("Seconds to wait before the next try.")
                            .schema(new StringSchema()));
        }
        return answer;
    }
}
