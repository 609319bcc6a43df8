package dev.tutti.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tutti.control.ApiKeyBook;
import dev.tutti.control.ApiKeyBook.Made;
import dev.tutti.control.ApiKeyBook.NewApiKey;
import dev.tutti.control.ApiKeyBook.Revoked;
import dev.tutti.control.Identities.Identity;
import dev.tutti.control.Identities.Role;
import dev.tutti.control.KeyedCall;
import dev.tutti.control.read.ApiKeyQueries.ApiKeyView;
import dev.tutti.control.read.BrokenCursor;
import dev.tutti.control.read.Page;
import dev.tutti.control.read.PageRequest;
import dev.tutti.model.InvalidInput;
import dev.tutti.store.identity.ApiKeyRows;
import dev.tutti.store.identity.SqlApiKeyBook;
import dev.tutti.store.identity.SqlApiKeyQueries;
import dev.tutti.store.identity.SqlIdentities;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** API keys on a real PostgreSQL: one per name, bounded, made once per Idempotency-Key, never stored in clear. */
class SqlApiKeyBookTest extends QueriesContract {

    private static final String HASH = "a".repeat(64);

    private SqlApiKeyBook book;
    private SqlApiKeyQueries queries;
    private JpaRepositories jpa;
    private SqlIdentities identities;

    @BeforeEach
    void openBook() {
        book = new SqlApiKeyBook(sql().transactions());
        queries = new SqlApiKeyQueries(sql().transactions());
        jpa = new JpaRepositories(sql().database());
        identities = new SqlIdentities(sql().transactions(), jpa.repository(ApiKeyRows.class));
    }

    @AfterEach
    void closeBook() {
        jpa.close();
    }

    @Test
    void aMadeKeyIsSomebodysUntilItIsRevoked() {
        ApiKeyView key = made("训练 🚀", Role.OPERATOR);
        assertThat(identities.byKeyHash(HASH)).contains(new Identity("训练 🚀", Role.OPERATOR));
        assertThat(queries.key("训练 🚀")).contains(key);
        assertThat(queries.key(Long.toString(key.id()))).contains(key);

        assertThat(book.revoke(key.id(), 7L, ANNA)).isEqualTo(new Revoked.Stale(0));
        assertThat(book.revoke(key.id(), 0L, ANNA)).isEqualTo(new Revoked.Done(HASH));
        assertThat(identities.byKeyHash(HASH)).isEmpty();
        assertThat(queries.key("训练 🚀")).isEmpty();
        assertThat(book.revoke(key.id(), null, ANNA)).isEqualTo(new Revoked.NotFound());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a\u0000b", "a\nb", "17", "a/b", "..", ".", "a\\b", "a;b", "50%", "a\u2028b"})
    void aNameThatIsNoneIsRefused(String name) {
        assertThatThrownBy(() -> new NewApiKey(name, Role.VIEWER, HASH, null)).isInstanceOf(InvalidInput.class);
        assertThatThrownBy(() -> new NewApiKey("x".repeat(300), Role.VIEWER, HASH, null))
                .isInstanceOf(InvalidInput.class);
    }

    @Test
    void aNameThatIsTakenOrReservedIsRefusedAndTheIdempotencyKeyStaysFree() {
        made("nightly", Role.VIEWER);
        for (String name : List.of("nightly", "local", "first-administrator")) {
            assertThat(book.make(call("again", "body of " + name), key(name, hash(1))))
                    .isInstanceOfSatisfying(
                            Made.Refused.class,
                            refused -> assertThat(refused.field()).isEqualTo("name"));
        }
        assertThat(book.make(call("again", "body"), key("other", hash(1)))).isInstanceOf(Made.Done.class);
    }

    @Test
    void theFirstAdministratorsKeyIsNotRevoked() {
        identities.ensure("first-administrator", Role.ADMIN, HASH);
        long id = queries.key("first-administrator").orElseThrow().id();

        assertThat(book.revoke(id, null, ANNA)).isEqualTo(new Revoked.First());
        assertThat(identities.byKeyHash(HASH)).isPresent();
    }

    @Test
    void oneIdempotencyKeyMakesOneKeyHoweverManyAsk() {
        List<Made> answers = IntStream.range(0, 8)
                .parallel()
                .mapToObj(i -> book.make(call("once", "body"), key("nightly", hash(i))))
                .toList();

        List<Made> made = answers.stream().filter(Made.Done.class::isInstance).toList();
        assertThat(made).hasSize(1);
        long id = ((Made.Done) made.get(0)).key().id();
        assertThat(answers).filteredOn(answer -> answer != made.get(0)).containsOnly(new Made.Before(id));
        assertThat(book.make(call("once", "other body"), key("other", hash(9)))).isEqualTo(new Made.KeyReused());
        assertThat(queries.keys(new PageRequest(10, null)).items()).hasSize(1);
        assertThat(new String(
                        sql().database()
                                .jdbcClient()
                                .sql("SELECT answer FROM idempotency_keys")
                                .query(byte[].class)
                                .single(),
                        StandardCharsets.UTF_8))
                .isEqualTo(Long.toString(id));
    }

    @Test
    void neverMoreThanTheBoundAlsoWhenManyAskAtOnce() {
        fill(ApiKeyBook.MOST - 1);
        List<Made> answers = IntStream.range(0, 8)
                .parallel()
                .mapToObj(i -> book.make(call(null, "body"), key("last " + i, hash(i))))
                .toList();

        assertThat(answers).filteredOn(Made.Done.class::isInstance).hasSize(1);
        assertThat(answers).filteredOn(Made.Full.class::isInstance).hasSize(7);
        long id = queries.key("filler 1").orElseThrow().id();
        assertThat(book.revoke(id, null, ANNA)).isInstanceOf(Revoked.Done.class);
        assertThat(book.make(call(null, "body"), key("room again", hash(8)))).isInstanceOf(Made.Done.class);
    }

    @Test
    void aListShowsEachKeyOnceOldestFirst() {
        fill(25);
        List<String> seen = new ArrayList<>();
        String cursor = null;
        do {
            Page<ApiKeyView> page = queries.keys(new PageRequest(10, cursor));
            page.items().forEach(key -> seen.add(key.name()));
            cursor = page.next();
        } while (cursor != null);

        assertThat(seen)
                .containsExactlyElementsOf(IntStream.rangeClosed(1, 25)
                        .mapToObj(i -> "filler " + i)
                        .toList());
        assertThatThrownBy(() -> queries.keys(new PageRequest(10, "x"))).isInstanceOf(BrokenCursor.class);
    }

    @Test
    void everyChangeIsToldAndAuditedWithoutTheHash() {
        Instant never = Instant.parse("2036-01-01T00:00:00Z");
        ApiKeyView key =
                ((Made.Done) book.make(call(null, "body"), new NewApiKey("anna", Role.ADMIN, HASH, never))).key();
        book.revoke(key.id(), null, ANNA);

        assertThat(rows("SELECT type || ' ' || subject || ' ' || data FROM events WHERE type LIKE 'key.%' ORDER BY id"))
                .containsExactly(
                        "key.create %d {\"name\": \"anna\"}".formatted(key.id()),
                        "key.revoke %d {\"name\": \"anna\"}".formatted(key.id()));
        String facts = "{\"name\": \"anna\", \"role\": \"admin\", \"expiresAt\": \"2036-01-01T00:00:00Z\"}";
        assertThat(rows("SELECT actor || ' ' || action || ' ' || coalesce(before::text, '-') || ' '"
                        + " || coalesce(after::text, '-') FROM audit WHERE action LIKE 'key.%' ORDER BY id"))
                .containsExactly(
                        "caller/" + ANNA.name() + " key.create - " + facts,
                        "caller/" + ANNA.name() + " key.revoke " + facts + " -");
    }

    private List<String> rows(String query) {
        return sql().database().jdbcClient().sql(query).query(String.class).list();
    }

    private void fill(int keys) {
        sql().database()
                .jdbcClient()
                .sql("INSERT INTO api_keys (sha256, name, role)"
                        + " SELECT lpad(i::text, 64, 'f'), 'filler ' || i, 'VIEWER' FROM generate_series(1, :n) i")
                .params(Map.of("n", keys))
                .update();
    }

    private ApiKeyView made(String name, Role role) {
        return ((Made.Done) book.make(call(null, "body"), new NewApiKey(name, role, HASH, null))).key();
    }

    private static NewApiKey key(String name, String sha256) {
        return new NewApiKey(name, Role.VIEWER, sha256, null);
    }

    private static String hash(int i) {
        return String.format(Locale.ROOT, "%064x", i);
    }

    private static KeyedCall call(String key, String bodyHash) {
        return new KeyedCall(ANNA, key, bodyHash);
    }
}
