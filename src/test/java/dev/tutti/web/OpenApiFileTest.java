package dev.tutti.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/**
 * The contract in the repository is what the running service generates. After a change of the API write it anew:
 * {@code mvn test -Dtest=OpenApiFileTest -Dtutti.openapi.write=true}.
 */
@SpringBootTest(classes = WebApp.class, webEnvironment = WebEnvironment.RANDOM_PORT)
class OpenApiFileTest {

    private static final Path FILE = Path.of("openapi.yaml");

    private final Http http;
    private final RequestMappingHandlerMapping routes;

    OpenApiFileTest(
            @LocalServerPort int port,
            @Autowired @Qualifier("requestMappingHandlerMapping") RequestMappingHandlerMapping routes) {
        this.http = new Http(port);
        this.routes = routes;
    }

    @Test
    void theFileIsWhatTheServiceGenerates() throws IOException {
        Http.Answer generated = http.get("/openapi.yaml");
        assertThat(generated.status()).isEqualTo(200);
        if (Boolean.getBoolean("tutti.openapi.write")) {
            Files.writeString(FILE, generated.text());
        }

        assertThat(Files.readString(FILE)).isEqualTo(generated.text());
    }

    @Test
    void generatorsForOpenApi30CanReadIt() throws IOException {
        List<String> bad = new ArrayList<>();
        check("", contract(), bad);

        assertThat(bad).isEmpty();
        assertThat(contract().path("openapi").asString()).startsWith("3.1");
    }

    private static void check(String path, JsonNode node, List<String> bad) {
        if (node.has("$ref") && node.size() > 1) {
            bad.add(path + " has something beside $ref");
        }
        if (node.path("type").isArray()) {
            bad.add(path + " has several types");
        }
        for (Map.Entry<String, JsonNode> property : node.properties()) {
            check(path + "/" + property.getKey(), property.getValue(), bad);
        }
        for (int i = 0; i < (node.isArray() ? node.size() : 0); i++) {
            check(path + "/" + i, node.get(i), bad);
        }
    }

    @Test
    void everyRouteIsInItWithItsProblems() throws IOException {
        JsonNode paths = contract().path("paths");
        Set<String> wanted = new TreeSet<>();
        routes.getHandlerMethods()
                .keySet()
                .forEach(info -> info.getPatternValues().stream()
                        .filter(path -> path.startsWith("/api/"))
                        .forEach(path -> info.getMethodsCondition()
                                .getMethods()
                                .forEach(method -> wanted.add(method + " " + path))));
        Set<String> found = new TreeSet<>();
        paths.properties()
                .forEach(path -> path.getValue().properties().forEach(operation -> {
                    String name = operation.getKey().toUpperCase(Locale.ROOT) + " " + path.getKey();
                    found.add(name);
                    JsonNode responses = operation.getValue().path("responses");
                    assertThat(operation.getValue().path("summary").asString())
                            .as(name)
                            .isNotEmpty();
                    for (String status : List.of("400", "401", "403", "429", "500", "503")) {
                        assertThat(responses
                                        .at("/" + status + "/content/application~1problem+json/schema/$ref")
                                        .asString())
                                .as(name + " " + status)
                                .isEqualTo("#/components/schemas/Problem");
                    }
                }));

        assertThat(found).isEqualTo(wanted).hasSizeGreaterThan(15);
    }

    @Test
    void everyFieldOfAJobIsDescribedAsItIs() throws IOException {
        JsonNode job = contract().at("/components/schemas/JobRequest");

        assertThat(job.path("required").valueStream().map(JsonNode::asString)).containsExactly("name", "podSets");
        assertThat(contract().at("/components/schemas/Problem/required").size()).isEqualTo(8);
    }

    @Test
    void swaggerUiIsServedUnderAStrictPolicy() {
        Http.Answer page = http.get("/swagger-ui/index.html");

        assertThat(page.status()).isEqualTo(200);
        assertThat(page.header("Content-Security-Policy")).contains("default-src 'none'", "script-src 'self'");
        assertThat(page.text()).doesNotContainPattern("<script[^>]*>[^<\\s]");
        assertThat(http.get("/swagger-ui.html").status()).isIn(200, 302);
        assertThat(http.get("/swagger-ui/swagger-initializer.js").text()).contains("/openapi");
    }

    private static JsonNode contract() throws IOException {
        return new YAMLMapper().readTree(Files.readString(FILE));
    }
}
