package dev.tutti.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.control.Identities.Role;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalManagementPort;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

/** With a key: who may call what, for every route there is. */
@SpringBootTest(
        classes = WebApp.class,
        webEnvironment = WebEnvironment.RANDOM_PORT,
        properties = {"tutti.api-key=tutti_first", "spring.test.metrics.export=true"})
class SecurityTest {

    /** The weakest role for each route. A new route fails the test until it stands here. */
    private static final Map<String, Role> WEAKEST = new TreeMap<>(Map.ofEntries(
            Map.entry("GET /api/v1/clusters", Role.VIEWER),
            Map.entry("GET /api/v1/nodes", Role.VIEWER),
            Map.entry("GET /api/v1/nodes/{id}", Role.VIEWER),
            Map.entry("GET /api/v1/gpus", Role.VIEWER),
            Map.entry("GET /api/v1/topology", Role.VIEWER),
            Map.entry("GET /api/v1/flavors", Role.VIEWER),
            Map.entry("GET /api/v1/lanes", Role.VIEWER),
            Map.entry("GET /api/v1/lanes/{name}", Role.VIEWER),
            Map.entry("PATCH /api/v1/lanes/{name}", Role.OPERATOR),
            Map.entry("GET /api/v1/queues", Role.VIEWER),
            Map.entry("GET /api/v1/queues/{id}", Role.VIEWER),
            Map.entry("GET /api/v1/events", Role.VIEWER),
            Map.entry("GET /api/v1/jobs", Role.VIEWER),
            Map.entry("GET /api/v1/jobs/{id}", Role.VIEWER),
            Map.entry("GET /api/v1/jobs/{id}/allocation", Role.VIEWER),
            Map.entry("GET /api/v1/jobs/{id}/attempts", Role.VIEWER),
            Map.entry("GET /api/v1/jobs/{id}/explanation", Role.VIEWER),
            Map.entry("GET /api/v1/jobs/{id}/events", Role.VIEWER),
            Map.entry("GET /api/v1/keys", Role.ADMIN),
            Map.entry("GET /api/v1/keys/{id}", Role.ADMIN),
            Map.entry("POST /api/v1/keys", Role.ADMIN),
            Map.entry("DELETE /api/v1/keys/{id}", Role.ADMIN),
            Map.entry("POST /api/v1/jobs", Role.SUBMITTER),
            Map.entry("POST /api/v1/jobs:batch", Role.SUBMITTER),
            Map.entry("POST /api/v1/jobs/{id}:cancel", Role.SUBMITTER),
            Map.entry("POST /api/v1/jobs/{id}:suspend", Role.SUBMITTER),
            Map.entry("POST /api/v1/jobs/{id}:resume", Role.SUBMITTER),
            Map.entry("POST /api/v1/jobs/{id}:scale", Role.SUBMITTER),
            Map.entry("PATCH /api/v1/jobs/{id}", Role.SUBMITTER),
            Map.entry("POST /api/v1/manifests", Role.SUBMITTER),
            Map.entry("PATCH /api/v1/queues/{id}", Role.OPERATOR),
            Map.entry("POST /api/v1/queues", Role.ADMIN),
            Map.entry("DELETE /api/v1/queues/{id}", Role.ADMIN)));

    private final Http http;
    private final RequestMappingHandlerMapping routes;

    SecurityTest(
            @LocalServerPort int port,
            @Autowired @Qualifier("requestMappingHandlerMapping") RequestMappingHandlerMapping routes) {
        this.http = new Http(port);
        this.routes = routes;
    }

    private Stream<String> allRoutes() {
        return routes.getHandlerMethods().keySet().stream()
                .flatMap(info -> info.getPatternValues().stream()
                        .filter(path -> path.startsWith("/api/"))
                        .flatMap(path ->
                                info.getMethodsCondition().getMethods().stream().map(method -> method + " " + path)));
    }

    @TestFactory
    Stream<DynamicTest> everyRouteForEveryRole() {
        assertThat(allRoutes()).containsExactlyInAnyOrderElementsOf(WEAKEST.keySet());
        return allRoutes()
                .flatMap(route -> Stream.of(Role.values())
                        .map(role -> DynamicTest.dynamicTest(route + " as " + role, () -> {
                            int status = call(route, "Bearer " + WebApp.key(role));
                            boolean allowed = role.compareTo(WEAKEST.get(route)) >= 0;

                            assertThat(status).isNotEqualTo(401);
                            assertThat(status == 403).isEqualTo(!allowed);
                        })));
    }

    @TestFactory
    Stream<DynamicTest> noRouteWithoutAKey() {
        return allRoutes()
                .flatMap(route -> Stream.of("", "Bearer nobodys", "Bearer", "Basic dHV0dGk6eA==", "tutti_admin")
                        .map(header -> DynamicTest.dynamicTest(
                                route + " with \"" + header + "\"",
                                () -> assertThat(call(route, header)).isEqualTo(401))));
    }

    private int call(String route, String authorization) {
        String method = route.substring(0, route.indexOf(' '));
        String path =
                route.substring(route.indexOf(' ') + 1).replaceAll("\\{\\w+}", "00000000-0000-0000-0000-000000000000");
        if (path.equals("/api/v1/events")) {
            path += "?odd=1";
        }
        Http caller = authorization.isEmpty() ? http : http.with("Authorization", authorization);
        byte[] body = method.equals("GET") || method.equals("DELETE") ? null : "{".getBytes(StandardCharsets.UTF_8);
        Http.Answer answer = caller.call(method, path, body == null ? null : "application/json", body);
        if (answer.status() >= 400) {
            ProblemTest.assertForm(answer);
        }
        return answer.status();
    }

    @Test
    void aRefusalSaysHowToCome() {
        Http.Answer answer = http.get("/api/v1/jobs");

        assertThat(answer.code()).isEqualTo("UNAUTHENTICATED");
        assertThat(answer.header("WWW-Authenticate")).isEqualTo("Bearer realm=\"tutti\"");
    }

    @Test
    void aRefusedRoleIsToldWhichOneItTakes() {
        Http viewer = http.with("Authorization", "Bearer " + WebApp.key(Role.VIEWER));

        assertThat(viewer.post("/api/v1/jobs", "{}").json().path("detail").asString())
                .isEqualTo("the caller is viewer; this takes submitter or a stronger role");
        assertThat(viewer.get("/api/v1/keys").json().path("detail").asString())
                .isEqualTo("the caller is viewer; this takes admin");
    }

    @Test
    void anEmptyKeyIsSaidToBeEmpty() {
        assertThat(http.with("Authorization", "Bearer ")
                        .get("/api/v1/jobs")
                        .json()
                        .path("detail")
                        .asString())
                .isEqualTo("the key after \"Bearer\" is empty");
    }

    @Test
    void aChangeThatNobodyNamedIsForAdministrators() {
        for (Role role : Role.values()) {
            Http caller = http.with("Authorization", "Bearer " + WebApp.key(role));
            assertThat(caller.call("POST", "/api/v1/nodes/1:drain", "application/json", new byte[0])
                            .status())
                    .isEqualTo(role == Role.ADMIN ? 404 : 403);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/problems", "/problems/validation", "/openapi.yaml", "/swagger-ui/index.html"})
    void whatExplainsTheServiceIsOpen(String path) {
        assertThat(http.get(path).status()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/actuator/prometheus", "/actuator/env", "/actuator", "/error", "/"})
    void theRestIsNot(String path) {
        assertThat(http.get(path).status()).isEqualTo(401);
    }

    @Test
    void theManagementPortAnswersWhoeverReachesIt(@LocalManagementPort int port) {
        Http management = new Http(port);

        assertThat(management.get("/actuator/health").status()).isEqualTo(200);
        assertThat(management.get("/actuator/info").status()).isEqualTo(200);
        assertThat(management.get("/actuator/prometheus").status()).isEqualTo(200);
        assertThat(management.get("/actuator/env").status()).isEqualTo(404);
        assertThat(management.get("/api/v1/jobs").status()).isEqualTo(404);
    }

    @Test
    void jobsCarryTheNameOfTheirSubmitter() {
        Http caller = http.with("Authorization", "bearer " + WebApp.key(Role.SUBMITTER));
        String location = caller.post("/api/v1/jobs", Json.job("x")).header("Location");

        assertThat(caller.get(location).json().path("submittedBy").asString())
                .isEqualTo(Role.SUBMITTER.name().toLowerCase(Locale.ROOT));
    }

    @Test
    void keysAreNotSharedBetweenCallers() {
        Http one = http.with("Authorization", "Bearer " + WebApp.key(Role.SUBMITTER), "Idempotency-Key", "shared");
        Http other = http.with("Authorization", "Bearer " + WebApp.key(Role.ADMIN), "Idempotency-Key", "shared");

        assertThat(one.post("/api/v1/jobs", Json.job("one")).status()).isEqualTo(201);
        assertThat(other.post("/api/v1/jobs", Json.job("other")).status()).isEqualTo(201);
    }

    @Test
    void withAKeyTheHostMayBeAnyName() {
        assertThat(http.with("X-Forwarded-For", "192.0.2.1", "Authorization", "Bearer " + WebApp.key(Role.VIEWER))
                        .get("/api/v1/jobs")
                        .status())
                .isEqualTo(200);
    }
}
