package dev.tutti.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tutti.Tutti;
import dev.tutti.testkit.postgres.TestDatabase;
import dev.tutti.testkit.postgres.TestPostgresDatabase;
import dev.tutti.web.input.Hashes;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;

/** API keys on the whole service, from the first one on: what each role may, and how keys come and go. */
@SpringBootTest(
        classes = Tutti.class,
        webEnvironment = WebEnvironment.RANDOM_PORT,
        properties = "tutti.api-key=" + KeysTest.FIRST)
@TestPostgresDatabase
class KeysTest {

    static final String FIRST = "a-first-key-that-nobody-would-guess-0123456789";

    private static final String KEYS = "/api/v1/keys";
    private static final String JOBS = "/api/v1/jobs";
    private static final String QUEUES = "/api/v1/queues";

    private final int port;
    private final Http nobody;
    private final Http admin;
    private final TestDatabase database;

    KeysTest(@LocalServerPort int port, @Autowired TestDatabase database) {
        this.port = port;
        this.nobody = new Http(port);
        this.admin = as(FIRST);
        this.database = database;
    }

    private Http as(String key) {
        return nobody.with("Authorization", "Bearer " + key);
    }

    private static String request(String name, String role) {
        return "{\"name\": \"%s\", \"role\": \"%s\"}".formatted(name, role);
    }

    private Http.Answer make(String name, String role) {
        Http.Answer answer = admin.post(KEYS, request(name, role));
        assertThat(answer.status()).as(answer.text()).isEqualTo(201);
        return answer;
    }

    private static String key(Http.Answer made) {
        return made.json().path("key").asString();
    }

    private static Http.Answer delete(Http caller, String path) {
        return caller.call("DELETE", path, null, null);
    }

    private static int hold(Http caller, String queue, String version) {
        return caller.with("If-Match", version)
                .call("PATCH", queue, "application/json", "{\"held\": true}".getBytes(StandardCharsets.UTF_8))
                .status();
    }

    @Test
    void eachRoleMayDoWhatTheOnesBeforeItMayAndOneThingMore() {
        Http.Answer queue = admin.post(QUEUES, "{\"path\": \"roles\"}");
        String path = queue.header("Location");
        String version = queue.header("ETag");
        Http viewer = as(key(make("a viewer", "viewer")));
        Http submitter = as(key(make("a submitter", "submitter")));
        Http operator = as(key(make("an operator", "operator")));
        Http second = as(key(make("an admin", "admin")));

        assertThat(viewer.get(JOBS).status()).isEqualTo(200);
        assertThat(viewer.post(JOBS, Json.job("x")).status()).isEqualTo(403);
        String job = submitter.post(JOBS, Json.job("x")).header("Location");
        assertThat(viewer.get(job).json().path("submittedBy").asString()).isEqualTo("a submitter");
        assertThat(viewer.post(job + ":cancel", "").status()).isEqualTo(403);
        assertThat(submitter.post(job + ":cancel", "").status()).isEqualTo(200);
        assertThat(hold(submitter, path, version)).isEqualTo(403);
        assertThat(hold(operator, path, version)).isEqualTo(200);
        assertThat(operator.post(QUEUES, "{\"path\": \"more\"}").status()).isEqualTo(403);
        assertThat(second.post(QUEUES, "{\"path\": \"more\"}").status()).isEqualTo(201);
        for (Http weaker : List.of(viewer, submitter, operator)) {
            assertThat(weaker.get(KEYS).status()).isEqualTo(403);
            assertThat(weaker.get(KEYS + "/1").status()).isEqualTo(403);
            assertThat(weaker.post(KEYS, request("mine", "admin")).status()).isEqualTo(403);
            assertThat(delete(weaker, KEYS + "/1").status()).isEqualTo(403);
        }
        assertThat(second.post(KEYS, request("a third", "admin")).status()).isEqualTo(201);
    }

    @Test
    void aKeyIsShownOnceAndOnlyItsHashIsStored() {
        Http.Answer made = make("shown once", "viewer");
        String key = key(made);

        assertThat(key).matches("tutti_[A-Za-z0-9_-]{43}");
        assertThat(made.header("Cache-Control")).contains("no-store");
        assertThat(made.json().path("role").asString()).isEqualTo("viewer");
        assertThat(made.json().has("expiresAt")).isFalse();
        Http.Answer shown = admin.get(made.header("Location"));
        assertThat(shown.header("ETag")).isEqualTo(made.header("ETag")).isNotEmpty();
        assertThat(shown.json().path("createdAt").asString())
                .isEqualTo(made.json().path("createdAt").asString());
        String all = admin.get(KEYS + "?limit=500").text();
        assertThat(all).contains("\"shown once\"");
        for (String answer :
                List.of(shown.text(), all, admin.get(KEYS + "/shown%20once").text())) {
            assertThat(answer).doesNotContain(key, Hashes.sha256(key), Hashes.sha256(FIRST));
        }
        assertThat(allThatIsStored()).contains(Hashes.sha256(key)).doesNotContain(clear(key));
    }

    /** Every row of every table, as text; bytes are in hex. */
    private String allThatIsStored() {
        return database
                .jdbcClient()
                .sql("SELECT table_name FROM information_schema.tables WHERE table_schema = 'public'"
                        + " AND table_type = 'BASE TABLE'")
                .query(String.class)
                .list()
                .stream()
                .flatMap(
                        table -> database
                                .jdbcClient()
                                .sql("SELECT t::text FROM \"" + table + "\" t")
                                .query(String.class)
                                .list()
                                .stream())
                .collect(Collectors.joining("\n"));
    }

    private static String[] clear(String key) {
        return new String[] {key, HexFormat.of().formatHex(key.getBytes(StandardCharsets.US_ASCII))};
    }

    @Test
    void manyKeysAreAllDifferent() {
        Set<String> keys = new HashSet<>();
        IntStream.range(0, 30).forEach(i -> keys.add(key(make("one of many " + i, "viewer"))));

        assertThat(keys).hasSize(30);
    }

    @Test
    void aRevokedKeyIsRefusedAtOnce() {
        Http.Answer made = make("revoked", "viewer");
        Http caller = as(key(made));
        assertThat(caller.get(JOBS).status()).isEqualTo(200);
        assertThat(delete(admin.with("If-Match", "\"7\""), made.header("Location"))
                        .status())
                .isEqualTo(412);
        assertThat(caller.get(JOBS).status()).isEqualTo(200);

        assertThat(delete(admin.with("If-Match", made.header("ETag")), made.header("Location"))
                        .status())
                .isEqualTo(204);

        assertThat(caller.get(JOBS).status()).isEqualTo(401);
        assertThat(admin.get(made.header("Location")).status()).isEqualTo(404);
        assertThat(delete(admin, made.header("Location")).status()).isEqualTo(404);
        make("revoked", "viewer");
        assertThat(delete(admin, KEYS + "/revoked").status()).isEqualTo(204);
    }

    /** The revocation is itself an event, so the stream need not wait for its heartbeat to end. */
    @Test
    void aStreamThatIsOpenEndsWhenItsKeyIsRevoked() throws Exception {
        Http.Answer made = make("listener", "viewer");
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/api/v1/events"))
                .header("Authorization", "Bearer " + key(made))
                .build();
        try (InputStream stream = HttpClient.newHttpClient()
                .send(request, HttpResponse.BodyHandlers.ofInputStream())
                .body()) {
            assertThat(stream.read()).isNotNegative();
            CompletableFuture<byte[]> rest = CompletableFuture.supplyAsync(() -> readAll(stream));
            make("seen by the listener", "viewer");
            Thread.sleep(1_000);
            assertThat(rest).isNotDone();
            assertThat(delete(admin, made.header("Location")).status()).isEqualTo(204);

            assertThat(new String(rest.get(10, TimeUnit.SECONDS), StandardCharsets.UTF_8))
                    .contains("seen by the listener");
        }
    }

    private static byte[] readAll(InputStream stream) {
        try {
            return stream.readAllBytes();
        } catch (IOException cut) {
            throw new UncheckedIOException(cut);
        }
    }

    /** A row that vanishes without this replica's doing is what another replica's revocation looks like. */
    @Test
    void whatAnotherReplicaRevokedIsRefusedWithinTheCachesTime() {
        Http caller = as(key(make("revoked elsewhere", "viewer")));
        assertThat(caller.get(JOBS).status()).isEqualTo(200);
        database.jdbcClient()
                .sql("DELETE FROM api_keys WHERE name = 'revoked elsewhere'")
                .update();

        await().atMost(Duration.ofSeconds(12))
                .pollInterval(Duration.ofMillis(250))
                .until(() -> caller.get(JOBS).status() == 401);
    }

    @Test
    void aKeyExpires() {
        Instant soon = Instant.now().plusSeconds(2).truncatedTo(ChronoUnit.MILLIS);
        String body = "{\"name\": \"%s\", \"role\": \"viewer\", \"expiresAt\": \"%s\"}";
        Http.Answer used = admin.post(KEYS, body.formatted("guest", soon));
        Http.Answer unused = admin.post(KEYS, body.formatted("unused guest", soon));
        assertThat(Instant.parse(used.json().path("expiresAt").asString())).isEqualTo(soon);
        assertThat(as(key(used)).get(JOBS).status()).isEqualTo(200);

        await().pollInterval(Duration.ofMillis(100)).until(() -> Instant.now().isAfter(soon.plusMillis(500)));
        assertThat(as(key(unused)).get(JOBS).status()).isEqualTo(401);
        await().atMost(Duration.ofSeconds(12))
                .pollInterval(Duration.ofMillis(250))
                .until(() -> as(key(used)).get(JOBS).status() == 401);
        assertThat(admin.get(used.header("Location")).status()).isEqualTo(200);
    }

    @Test
    void theFirstAdministratorsKeyIsSetInTheEnvironmentOnly() {
        Http.Answer answer = delete(admin, KEYS + "/first-administrator");

        assertThat(answer.status()).isEqualTo(409);
        assertThat(answer.json().path("detail").asString()).contains("TUTTI_API_KEY");
        ProblemTest.assertForm(answer);
        assertThat(admin.get(KEYS).status()).isEqualTo(200);
    }

    @Test
    void aRepeatedCallMakesNoSecondKeyAndSaysWhichOneItMade() {
        Http keyed = admin.with("Idempotency-Key", UUID.randomUUID().toString());
        Http.Answer made = keyed.post(KEYS, request("repeated", "viewer"));
        Http.Answer again = keyed.post(KEYS, " { \"role\":\"viewer\", \"name\":\"repeated\" } ");

        assertThat(made.status()).isEqualTo(201);
        assertThat(again.status()).as(again.text()).isEqualTo(409);
        assertThat(again.code()).isEqualTo("SHOWN_ONCE");
        assertThat(again.json().path("detail").asString()).contains(made.header("Location"));
        assertThat(again.text()).doesNotContain(key(made));
        assertThat(as(key(made)).get(JOBS).status()).isEqualTo(200);
        assertThat(keyed.post(KEYS, request("another", "viewer")).status()).isEqualTo(422);
        assertThat(allThatIsStored()).doesNotContain(clear(key(made)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "训练 🚀",
                "') OR 'a' = 'a",
                "e\u0301",
                "17a",
                "a.b",
                "...",
                "-",
                "a?b#c&d=e+f",
                "{id}",
                "a:cancel",
                "~@ "
            })
    void aNameComesBackByteForByte(String name) {
        Http.Answer made = make(name, "submitter");

        assertThat(made.json().path("name").asString()).isEqualTo(name);
        String job = as(key(made)).post(JOBS, Json.job("x")).header("Location");
        assertThat(admin.get(job).json().path("submittedBy").asString()).isEqualTo(name);
        assertThat(admin.post(job + ":cancel", "").status()).isEqualTo(200);
        String byName =
                KEYS + "/" + URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20");
        assertThat(admin.get(byName).json().path("name").asString()).isEqualTo(name);
        assertThat(delete(admin, byName).status()).isEqualTo(204);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a/b", "..", "50%"})
    void aNameFromBeforeTheRuleIsRevokedById(String name) {
        long id = database.jdbcClient()
                .sql("INSERT INTO api_keys (sha256, name, role) VALUES (repeat('e', 64), :name, 'VIEWER') RETURNING id")
                .param("name", name)
                .query(Long.class)
                .single();

        assertThat(admin.get(KEYS + "/" + id).json().path("name").asString()).isEqualTo(name);
        assertThat(delete(admin, KEYS + "/" + id).status()).isEqualTo(204);
        assertThat(admin.get(KEYS + "/" + id).status()).isEqualTo(404);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"role\": \"viewer\"} | name | is missing",
                "{\"name\": \"\", \"role\": \"viewer\"} | name | 128 characters",
                "{\"name\": \"a\\u0000b\", \"role\": \"viewer\"} | name | zero character",
                "{\"name\": \"a\\nb\", \"role\": \"viewer\"} | name | control character",
                "{\"name\": \"LONG\", \"role\": \"viewer\"} | name | 128 characters",
                "{\"name\": \"17\", \"role\": \"viewer\"} | name | is 17, a number",
                "{\"name\": \"a/b\", \"role\": \"viewer\"} | name | is \"a/b\", which no path can hold",
                "{\"name\": \"..\", \"role\": \"viewer\"} | name | give a name without",
                "{\"name\": 17, \"role\": \"viewer\"} | name | give a text",
                "{\"name\": \"bad\"} | role | is missing",
                "{\"name\": \"bad\", \"role\": \"root\"} | role | give viewer, submitter, operator or admin",
                "{\"name\": \"bad\", \"role\": \"ADMIN\"} | role | give viewer, submitter, operator or admin",
                "{\"name\": \"bad\", \"role\": \"\"} | role | give viewer, submitter, operator or admin",
                "{\"name\": \"bad\", \"role\": \"viewer\", \"expiresAt\": \"2020-01-01T00:00:00Z\"} | expiresAt | in the past",
                "{\"name\": \"bad\", \"role\": \"viewer\", \"expiresAt\": \"2999-01-01T00:00:00Z\"} | expiresAt | ten years",
                "{\"name\": \"bad\", \"role\": \"viewer\", \"expiresAt\": \"+999999999-01-01T00:00:00Z\"} | expiresAt | 9999",
                "{\"name\": \"bad\", \"role\": \"viewer\", \"expiresAt\": \"tomorrow\"} | expiresAt | give a time such as",
                "{\"name\": \"bad\", \"role\": \"viewer\", \"expiresAt\": 1798761600} | expiresAt | give a text",
                "{\"name\": \"bad\", \"role\": \"viewer\", \"key\": \"mine\"} | key | is unknown",
                "{\"name\": \"bad\", \"role\": \"viewer\", \"expires\": null} | expires | expiresAt",
            })
    void badInputNamesTheFieldAndStoresNothing(String body, String field, String message) {
        Http.Answer answer = admin.post(KEYS, body.replace("LONG", "字".repeat(300)));

        assertThat(answer.status()).as(answer.text()).isEqualTo(400);
        assertThat(answer.fields()).containsExactly(field);
        assertThat(answer.json().at("/violations/0/message").asString()).contains(message);
        assertThat(admin.get(KEYS + "/bad").status()).isEqualTo(404);
    }

    @Test
    void allMistakesAreToldAtOnce() {
        Http.Answer answer =
                admin.post(KEYS, "{\"name\": \"\", \"role\": \"root\", \"expiresAt\": \"2020-01-01T00:00:00Z\"}");

        assertThat(answer.fields()).containsExactlyInAnyOrder("name", "role", "expiresAt");
    }

    @ParameterizedTest
    @ValueSource(strings = {"taken", "local", "first-administrator"})
    void aNameThatIsTakenOrReservedIsAConflict(String name) {
        if (name.equals("taken")) {
            make(name, "viewer");
        }
        Http.Answer answer = admin.post(KEYS, request(name, "admin"));

        assertThat(answer.status()).isEqualTo(409);
        assertThat(answer.code()).isEqualTo("CONFLICT");
        assertThat(answer.fields()).containsExactly("name");
        assertThat(answer.json().path("detail").asString()).contains("give another name");
    }

    @Test
    void theBoundIsAProblemThatSaysSo() {
        database.jdbcClient()
                .sql("INSERT INTO api_keys (sha256, name, role) SELECT lpad(i::text, 64, 'f'), 'filler ' || i, 'VIEWER'"
                        + " FROM generate_series(1, 1000) i")
                .update();
        Http.Answer answer = admin.post(KEYS, request("one too many", "viewer"));
        database.jdbcClient()
                .sql("DELETE FROM api_keys WHERE name LIKE 'filler %'")
                .update();

        assertThat(answer.status()).isEqualTo(409);
        ProblemTest.assertForm(answer);
        assertThat(answer.json().path("detail").asString()).contains("1000 API keys", "revoke one");
        make("one less", "viewer");
    }
}
