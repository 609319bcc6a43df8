package dev.tutti.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.control.ClusterGateway.Outcome;
import dev.tutti.control.PodOrder;
import dev.tutti.model.fleet.PodSighting;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Many threads at one gateway: every call has its own answer; prints the rates. {@code -Dtutti.pods=1000} for more. */
class KubernetesSpeedTest {

    private static final int THREADS = 32;
    private static final int WARM_UP = 50;

    private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);

    @AfterEach
    void stop() {
        threads.shutdownNow();
    }

    @Test
    void manyCallsAtATime() {
        int count = Integer.getInteger("tutti.pods", 200);
        try (KubernetesGateway gateway =
                KubernetesGateway.connect(ServiceAccess.inNewNamespace().settings())) {
            run(gateway, WARM_UP);
            System.out.println("=== kubernetes: " + run(gateway, count));
        }
    }

    private String run(KubernetesGateway gateway, int count) {
        List<PodOrder> orders = IntStream.range(0, count)
                .mapToObj(i -> TestOrders.on("no-such-node"))
                .toList();
        long start = System.nanoTime();
        List<PodSighting> pods = each(orders, order -> done(gateway.create(order)));
        long created = System.nanoTime();
        List<PodSighting> bound = each(
                IntStream.range(0, count).boxed().toList(), i -> done(gateway.bind(pods.get(i), orders.get(i), 1)));
        long end = System.nanoTime();

        assertThat(bound)
                .extracting(PodSighting::name)
                .isEqualTo(orders.stream().map(PodOrder::name).toList());
        return "%d pods, %d threads: %.0f creates/s, %.0f binds/s"
                .formatted(count, THREADS, rate(count, created - start), rate(count, end - created));
    }

    private static double rate(int count, long nanos) {
        return count * 1e9 / nanos;
    }

    private <A, B> List<B> each(List<A> items, Function<A, B> work) {
        List<Callable<B>> calls = new ArrayList<>();
        items.forEach(item -> calls.add(() -> work.apply(item)));
        try {
            List<B> results = new ArrayList<>();
            for (Future<B> result : threads.invokeAll(calls)) {
                results.add(result.get());
            }
            return results;
        } catch (InterruptedException | ExecutionException e) {
            throw new AssertionError(e);
        }
    }

    private static PodSighting done(Outcome outcome) {
        assertThat(outcome).isInstanceOf(Outcome.Done.class);
        return ((Outcome.Done) outcome).pod();
    }
}
