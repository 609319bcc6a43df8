package dev.tutti.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tutti.control.ClusterGateway.Outcome;
import dev.tutti.control.ClusterGateway.Unreachable;
import dev.tutti.control.PodOrder;
import dev.tutti.model.fleet.PodSighting;
import dev.tutti.model.fleet.PodSighting.Phase;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Each answer a server can give has one meaning, and no call is ever sent twice. */
class KubernetesFaultsTest {

    private static final String POD = "{\"kind\":\"Pod\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"p\","
            + "\"uid\":\"u1\",\"resourceVersion\":\"7\"%s},\"spec\":{\"containers\":[]%s},\"status\":{\"phase\":\"Pending\"}}";
    private static final String PLAIN = POD.formatted("", "");
    private static final String WRONG_UID = ScriptedServer.status(
            409, "Conflict", "Precondition failed: UID in precondition: a, UID in object meta: b", "{}");
    private static final String WRONG_VERSION = ScriptedServer.status(
            409, "Conflict", "Precondition failed: ResourceVersion in precondition: 1, in object meta: 7", "{}");
    private static final PodOrder ORDER = TestOrders.on("n1");
    private static final PodSighting UNBOUND =
            new PodSighting("p", "u1", "7", null, null, Phase.PENDING, false, false, null, "");

    private final ScriptedServer server = new ScriptedServer();
    private final KubernetesGateway gateway = KubernetesGateway.connect(server.settings());

    @AfterEach
    void stop() {
        gateway.close();
        server.close();
    }

    @ParameterizedTest
    @CsvSource({
        "400,Refused", "401,Busy", "402,Refused", "403,Refused", "404,Refused", "405,Refused", "408,Unknown",
        "409,Conflict", "413,Refused", "415,Refused", "422,Refused", "429,Busy", "500,Unknown", "502,Unknown",
        "503,Unknown", "504,Unknown", "302,Unknown", "307,Unknown"
    })
    void aCreateThatFailsHasOneMeaning(int code, String meaning) {
        server.then(code, "{\"kind\":\"Status\",\"message\":\"no\"}", Map.of("Location", "/elsewhere"));

        Outcome outcome = gateway.create(ORDER);

        assertThat(outcome.getClass().getSimpleName()).isEqualTo(meaning);
        assertThat(server.asked()).containsExactly("POST /api/v1/namespaces/jobs/pods");
    }

    @ParameterizedTest
    @CsvSource({"401,Busy", "403,Refused", "404,Unknown", "409,Conflict", "429,Busy", "500,Unknown", "503,Unknown"})
    void aBindThatFailsHasOneMeaning(int code, String meaning) {
        server.then(409, WRONG_UID).then(409, WRONG_VERSION).then(code, "not JSON at all <html>");

        Outcome outcome = gateway.bind(UNBOUND, ORDER, 3);

        assertThat(outcome.getClass().getSimpleName()).isEqualTo(meaning);
        assertThat(server.asked()).hasSize(3).allMatch("POST /api/v1/namespaces/jobs/pods/p/binding"::equals);
    }

    @ParameterizedTest
    @ValueSource(ints = {429, 503})
    void theServerSaysHowLongToWait(int code) {
        server.then(code, "Too many requests", Map.of("Retry-After", "7"));

        assertThat(gateway.create(ORDER)).isEqualTo(new Outcome.Busy(Duration.ofSeconds(7)));
        assertThat(server.asked()).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource({"999999999,300", "soon,1", "-5,1", "'Fri, 01 Jan 2100 00:00:00 GMT',1"})
    void aWaitIsNeverForeverAndNeverNonsense(String header, int seconds) {
        server.then(429, "", Map.of("Retry-After", header));

        assertThat(gateway.create(ORDER)).isEqualTo(new Outcome.Busy(Duration.ofSeconds(seconds)));
    }

    @Test
    void theWaitMayStandInTheBody() {
        server.then(429, ScriptedServer.status(429, "TooManyRequests", "busy", "{\"retryAfterSeconds\":4}"));

        assertThat(gateway.create(ORDER)).isEqualTo(new Outcome.Busy(Duration.ofSeconds(4)));
    }

    @Test
    void aTakenNameIsReadAndNeverGuessed() {
        server.then(409, ScriptedServer.status(409, "AlreadyExists", "pods already exists", "{}"))
                .then(200, PLAIN);

        assertThat(gateway.create(ORDER)).isEqualTo(new Outcome.Exists(UNBOUND));
        assertThat(server.asked())
                .containsExactly(
                        "POST /api/v1/namespaces/jobs/pods", "GET /api/v1/namespaces/jobs/pods/" + ORDER.name());
    }

    @Test
    void aTakenNameThatCannotBeReadIsUnknown() {
        server.then(409, ScriptedServer.status(409, "AlreadyExists", "pods already exists", "{}"))
                .thenHangUp();

        assertThat(gateway.create(ORDER)).isInstanceOf(Outcome.Unknown.class);
    }

    @Test
    void silenceIsUnknownWhetherOrNotItHadAnEffect() {
        server.thenAfter(Duration.ofSeconds(3), 201, PLAIN).thenHangUp();

        try (KubernetesGateway hasty =
                KubernetesGateway.connect(ScriptedServer.settings(server.port(), Duration.ofSeconds(1)))) {
            assertThat(hasty.create(ORDER)).isInstanceOf(Outcome.Unknown.class);
        }
        assertThat(gateway.create(ORDER)).isInstanceOf(Outcome.Unknown.class);
        assertThat(server.asked()).hasSize(2);
    }

    @Test
    void aRefusedConnectionIsUnknown() throws IOException {
        int port;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
        }
        try (KubernetesGateway nobody =
                KubernetesGateway.connect(ScriptedServer.settings(port, Duration.ofSeconds(5)))) {
            assertThat(nobody.create(ORDER)).isInstanceOf(Outcome.Unknown.class);
            assertThat(nobody.read("p")).isInstanceOf(Outcome.Unknown.class);
            assertThat(nobody.delete("p", "u1")).isInstanceOf(Outcome.Unknown.class);
            assertThat(nobody.touch("p", 1)).isInstanceOf(Outcome.Unknown.class);
            assertThat(nobody.bind(UNBOUND, ORDER, 1)).isInstanceOf(Outcome.Unknown.class);
            assertThatThrownBy(nobody::pods).isInstanceOf(Unreachable.class);
            assertThatThrownBy(nobody::nodes).isInstanceOf(Unreachable.class);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "null", "[]", "{}", "<html>", "{\"kind\":\"Pod\"}", "{\"kind\":\"Pod\",\"metadata\":3}", "{"
            })
    void aSuccessThatCannotBeReadIsUnknown(String body) {
        server.then(201, body).then(200, body);

        assertThat(gateway.create(ORDER)).isInstanceOf(Outcome.Unknown.class);
        assertThat(gateway.read("p")).isInstanceOf(Outcome.Unknown.class);
    }

    @Test
    void absenceIsBelievedOnlyOfAServerThatNamesThePod() {
        String mine = ScriptedServer.status(404, "NotFound", "no", "{\"name\":\"p\",\"kind\":\"pods\"}");
        String other = ScriptedServer.status(404, "NotFound", "no", "{\"name\":\"q\",\"kind\":\"pods\"}");
        server.then(404, mine).then(404, other).then(404, "404 page not found").then(404, "");

        assertThat(gateway.read("p")).isInstanceOf(Outcome.Absent.class);
        assertThat(gateway.read("p")).isInstanceOf(Outcome.Unknown.class);
        assertThat(gateway.read("p")).isInstanceOf(Outcome.Unknown.class);
        assertThat(gateway.read("p")).isInstanceOf(Outcome.Unknown.class);
    }

    @Test
    void aPodRemovedWhileBoundIsNotCalledUnbound() {
        server.then(200, POD.formatted("", ",\"nodeName\":\"n1\"")).then(200, PLAIN);

        assertThat(gateway.delete("p", "u1")).isInstanceOf(Outcome.Done.class);
        assertThat(gateway.delete("p", "u1")).isInstanceOf(Outcome.RemovedUnbound.class);
    }

    @Test
    void aPodThatSomebodyHoldsBackIsStillThere() {
        String held = POD.formatted(",\"finalizers\":[\"x/y\"],\"deletionTimestamp\":\"2026-01-01T00:00:00Z\"", "");
        server.then(200, held);

        assertThat(gateway.delete("p", "u1"))
                .isInstanceOfSatisfying(
                        Outcome.Done.class,
                        done -> assertThat(done.pod().terminating()).isTrue());
    }

    @Test
    void aDeleteThatConflictsIsReadBack() {
        server.then(409, WRONG_UID)
                .then(200, PLAIN.replace("u1", "u2"))
                .then(409, "{}")
                .then(200, PLAIN);

        assertThat(gateway.delete("p", "u1")).isInstanceOf(Outcome.Absent.class);
        assertThat(gateway.delete("p", "u1")).isInstanceOf(Outcome.Conflict.class);
    }

    @Test
    void aDeleteNamesTheUidAndNoGrace() {
        server.then(200, PLAIN);

        gateway.delete("p", "u1");

        assertThat(server.bodies().get(0))
                .contains("\"preconditions\":{\"uid\":\"u1\"}")
                .doesNotContain("grace");
    }

    @Test
    void aServerThatIgnoresThePreconditionsIsNeverBoundOnAgain() {
        server.then(201, "{\"kind\":\"Status\",\"status\":\"Success\"}");

        assertThat(gateway.bind(UNBOUND, ORDER, 1)).isInstanceOf(Outcome.Unknown.class);
        assertThat(gateway.bind(UNBOUND, ORDER, 1))
                .isInstanceOfSatisfying(
                        Outcome.Refused.class, no -> assertThat(no.why()).contains("preconditions"));
        assertThat(server.asked()).hasSize(1);
    }

    @Test
    void aServerThatIgnoresResourceVersionsIsNeverBoundOnAgain() {
        server.then(409, WRONG_UID).then(201, "{}");

        assertThat(gateway.bind(UNBOUND, ORDER, 1)).isInstanceOf(Outcome.Unknown.class);
        assertThat(gateway.bind(UNBOUND, ORDER, 1)).isInstanceOf(Outcome.Refused.class);
    }

    @Test
    void aCheckThatFailedForAnotherReasonIsMadeAgain() {
        server.then(500, "").then(409, WRONG_UID).then(409, WRONG_VERSION).then(201, "{}");
        server.then(201, "{}");

        assertThat(gateway.bind(UNBOUND, ORDER, 1)).isInstanceOf(Outcome.Unknown.class);
        assertThat(gateway.bind(UNBOUND, ORDER, 1)).isInstanceOf(Outcome.Done.class);
        assertThat(gateway.bind(UNBOUND, ORDER, 1)).isInstanceOf(Outcome.Done.class);
        assertThat(server.asked()).hasSize(5);
    }

    @Test
    void aShareIsRefusedBeforeAnythingIsSent() {
        assertThat(gateway.create(TestOrders.order("n1", 0, 200, 30)))
                .isInstanceOfSatisfying(
                        Outcome.Refused.class, no -> assertThat(no.why()).contains("200 milli-GPU"));
        assertThat(server.asked()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"../../nodes/n1", "a/b", "a?x=1", "", "A", "a..b", "a%2Fb", "-a"})
    void aNameThatNoPodCanHaveIsAbsentAndNeverSent(String name) {
        PodSighting odd = new PodSighting(name, "u", "1", null, null, Phase.PENDING, false, false, null, "");

        assertThat(gateway.read(name)).isInstanceOf(Outcome.Absent.class);
        assertThat(gateway.delete(name, "u")).isInstanceOf(Outcome.Absent.class);
        assertThat(gateway.touch(name, 1)).isInstanceOf(Outcome.Absent.class);
        assertThat(gateway.bind(odd, ORDER, 1)).isInstanceOf(Outcome.Absent.class);
        assertThat(server.asked()).isEmpty();
    }

    @Test
    void aListIsReadPageByPageAndWholeOrNotAtAll() {
        String page = "{\"kind\":\"PodList\",\"apiVersion\":\"v1\",\"metadata\":{%s},\"items\":[" + PLAIN + "]}";
        String first = page.formatted("\"continue\":\"a+b/c=\"");
        server.then(200, first).then(200, page.formatted(""));
        server.then(200, first).then(410, ScriptedServer.status(410, "Expired", "too old", "{}"));

        assertThat(gateway.pods()).hasSize(2);
        assertThatThrownBy(gateway::pods).isInstanceOf(Unreachable.class).hasMessageContaining("too old");
        assertThat(server.asked().get(1)).endsWith("&limit=500&continue=a%2Bb%2Fc%3D");
        assertThat(server.asked().get(0)).contains("labelSelector=tutti.dev%2Fmanaged-by%3Dtutti");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{}", "<html>", "{\"kind\":\"NodeList\"", "{\"kind\":\"Status\"}"})
    void aListThatIsNoneIsUnreachable(String body) {
        server.then(200, body);

        assertThatThrownBy(gateway::nodes).isInstanceOf(Unreachable.class);
    }
}
