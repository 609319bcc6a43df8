package dev.tutti.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tutti.control.ClusterGateway.Inbox;
import dev.tutti.control.PodOrder;
import dev.tutti.model.fleet.NodeSighting;
import dev.tutti.model.fleet.PodSighting;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Watches over a network that is cut, or that swallows everything, against a real API server. */
class ClusterWatchTest {

    private static final Duration LIMIT = Duration.ofSeconds(90);

    private final Notes notes = new Notes();
    private TcpRelay relay;
    private KubernetesGateway gateway;

    @BeforeEach
    void connect() {
        ServiceAccess access = ServiceAccess.inNewNamespace();
        relay = new TcpRelay(access.onServer().url());
        gateway = new KubernetesGateway(
                access.settings(), Clients.connect(access.settings()), Clients.connect(access.settings(relay.url())));
    }

    @AfterEach
    void disconnect() {
        if (gateway != null) {
            gateway.close();
            relay.close();
        }
    }

    @Test
    void aWatchThatIsCutForLongIsToldAndComesBack() {
        gateway.watch(notes);
        int before = notes.gaps.get();
        String gone = create();
        awaitSeen(gone);

        relay.cut();
        Awaitility.await("the break is told").atMost(LIMIT).until(() -> notes.gaps.get() > before);
        delete(gone);
        String made = create();
        sleep(Duration.ofSeconds(20));
        assertThat(notes.seen).doesNotContain(made);
        int broken = notes.gaps.get();
        relay.mend();

        awaitSeen(made);
        Awaitility.await("the end of the break is told").atMost(LIMIT).until(() -> notes.gaps.get() > broken);
        awaitSeen(create());
    }

    @Test
    void aWatchWhoseNetworkSwallowsEverythingIsNoticed() {
        gateway.watch(notes);
        awaitSeen(create());

        relay.swallow();
        String unseen = create();
        sleep(Duration.ofSeconds(3));
        assertThat(notes.seen).doesNotContain(unseen);

        awaitSeen(unseen);
        awaitSeen(create());
    }

    @Test
    void aClusterThatIsAwayAtTheBeginningIsWatchedWhenItComes() {
        relay.cut();

        gateway.watch(notes);

        String made = create();
        assertThat(notes.gaps.get()).isZero();
        relay.mend();
        awaitSeen(made);
        Awaitility.await("the beginning is told").atMost(LIMIT).until(() -> notes.gaps.get() > 0);
    }

    @Test
    void anObjectThatTheInboxChokesOnStopsNoOthers() {
        notes.chokes = true;
        gateway.watch(notes);
        create();
        Awaitility.await("it choked").atMost(LIMIT).until(() -> notes.choked.get() > 0);

        notes.chokes = false;

        awaitSeen(create());
    }

    @Test
    void aClusterIsWatchedOnce() {
        gateway.watch(notes);

        assertThatThrownBy(() -> gateway.watch(notes)).isInstanceOf(IllegalStateException.class);
        gateway.close();
        assertThatThrownBy(() -> gateway.watch(notes)).isInstanceOf(IllegalStateException.class);
    }

    private String create() {
        PodOrder order = TestOrders.on("no-such-node");
        gateway.create(order);
        return order.name();
    }

    private void delete(String name) {
        gateway.pods().stream().filter(pod -> pod.name().equals(name)).forEach(pod -> gateway.delete(name, pod.uid()));
    }

    private void awaitSeen(String name) {
        Awaitility.await(name + " is seen").atMost(LIMIT).until(() -> notes.seen.contains(name));
    }

    private static void sleep(Duration time) {
        try {
            Thread.sleep(time.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static final class Notes implements Inbox {
        private final Set<String> seen = ConcurrentHashMap.newKeySet();
        private final AtomicInteger gaps = new AtomicInteger();
        private final AtomicInteger choked = new AtomicInteger();
        private volatile boolean chokes;

        @Override
        public void pod(PodSighting pod) {
            if (chokes) {
                choked.incrementAndGet();
                throw new IllegalStateException("choked on " + pod.name());
            }
            seen.add(pod.name());
        }

        @Override
        public void node(NodeSighting node) {}

        @Override
        public void gap() {
            gaps.incrementAndGet();
        }
    }
}
