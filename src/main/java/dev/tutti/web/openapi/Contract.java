package dev.tutti.web.openapi;

import dev.tutti.control.read.Page;
import dev.tutti.web.calls.Keys;
import dev.tutti.web.input.Document;
import dev.tutti.web.input.Form;
import dev.tutti.web.problem.ProblemResponse;
import io.swagger.v3.core.converter.AnnotatedType;
import io.swagger.v3.core.converter.ModelConverters;
import io.swagger.v3.core.converter.ResolvedSchema;
import io.swagger.v3.oas.models.Components;
import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.headers.Header;
import io.swagger.v3.oas.models.info.Info;
import io.swagger.v3.oas.models.media.Content;
import io.swagger.v3.oas.models.media.StringSchema;
import io.swagger.v3.oas.models.parameters.HeaderParameter;
import io.swagger.v3.oas.models.parameters.Parameter;
import io.swagger.v3.oas.models.responses.ApiResponse;
import io.swagger.v3.oas.models.security.SecurityRequirement;
import io.swagger.v3.oas.models.security.SecurityScheme;
import io.swagger.v3.oas.models.servers.Server;
import java.math.BigDecimal;
import java.util.List;
import org.springdoc.core.customizers.OpenApiCustomizer;
import org.springdoc.core.utils.SpringDocUtils;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * The frame of the generated contract, and what the controllers cannot say themselves. It keeps to what generators for
 * OpenAPI 3.0 read as well.
 */
@Configuration(proxyBeanMethods = false)
class Contract {

    private static final String KEY = "apiKey";

    private static final String REPEATED = "Makes the call repeatable for 24 hours: the same key and body give the same"
            + " answer, byte for byte. 1 to 128 visible ASCII characters.";

    private static final String REPEATED_SECRET = "Makes the call safe to repeat for 24 hours: the same Idempotency-Key"
            + " and body never make a second API key. Because the API key is kept nowhere, the repeated call cannot show"
            + " it again: it answers 409 with the code SHOWN_ONCE and names the API key that was made. 1 to 128 visible"
            + " ASCII characters.";

    static {
        SpringDocUtils.getConfig().addRequestWrapperToIgnore(Form.class, Document.class);
    }

    @Bean
    OpenAPI frame() {
        return new OpenAPI()
                .info(new Info()
                        .title("Tutti")
                        .version("v1")
                        .description(
                                "GPU scheduling: submit jobs, see where they run, or why they wait. Every problem is"
                                        + " application/problem+json; its type is a page that explains it."))
                // Fixed, so that the contract is the same wherever it was generated.
                .servers(List.of(new Server().url("/").description("Where this document was read from.")))
                .components(new Components()
                        .addSecuritySchemes(
                                KEY,
                                new SecurityScheme()
                                        .type(SecurityScheme.Type.HTTP)
                                        .scheme("bearer")
                                        .description("An API key. Without any key the service answers its own machine"
                                                + " only, and needs none.")))
                .security(List.of(new SecurityRequirement().addList(KEY)));
    }

    @Bean
    OpenApiCustomizer finish() {
        return contract -> {
            ResolvedSchema problem = ModelConverters.getInstance(true)
                    .readAllAsResolvedSchema(new AnnotatedType(ProblemResponse.class).resolveAsRef(true));
            problem.referencedSchemas.forEach(contract.getComponents()::addSchemas);
            contract.getPaths()
                    .values()
                    .forEach(path -> path.readOperationsMap().forEach((method, operation) -> {
                        ProblemAnswers.add(method, operation);
                        addVersions(operation);
                        addPages(operation);
                        Examples.add(operation);
                    }));
            new PlainRefs(contract).clean();
        };
    }

    private static void addVersions(Operation operation) {
        for (String status : List.of("200", "201")) {
            ApiResponse answer = operation.getResponses().get(status);
            boolean stored = status.equals("201") || operation.getResponses().get("201") == null;
            if (answer != null && stored && Examples.VERSIONED.contains(operation.getOperationId())) {
                answer.addHeaderObject("ETag", header("Version of the resource; send it as If-Match."));
            }
            if (answer != null && status.equals("201")) {
                answer.addHeaderObject("Location", header("Path of the new resource."));
            }
        }
        if ("getJob".equals(operation.getOperationId())) {
            operation.addParametersItem(new HeaderParameter()
                    .name("If-None-Match")
                    .description("An ETag; the answer is 304 when it is still the same.")
                    .schema(new StringSchema()));
            operation
                    .getResponses()
                    .addApiResponse(
                            "304", new ApiResponse().description("Unchanged.").content(new Content()));
        }
    }

    private static void addPages(Operation operation) {
        List<Parameter> parameters = operation.getParameters() == null ? List.of() : operation.getParameters();
        for (Parameter parameter : parameters) {
            if ("limit".equals(parameter.getName())) {
                parameter.description("Items on the page; by default 100.");
                parameter.getSchema().minimum(BigDecimal.ONE).maximum(BigDecimal.valueOf(Page.MAX_LIMIT));
            } else if ("cursor".equals(parameter.getName())) {
                parameter.description("next of the page before.");
            } else if (Keys.HEADER.equals(parameter.getName())) {
                parameter.description("createKey".equals(operation.getOperationId()) ? REPEATED_SECRET : REPEATED);
            }
        }
    }

    private static Header header(String description) {
        return new Header().description(description).schema(new StringSchema());
    }
}
