package dev.tutti.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.control.KeyedCall;
import dev.tutti.control.QueueBook.Created;
import dev.tutti.control.QueueBook.Creation;
import dev.tutti.model.queue.QueueRules;
import dev.tutti.model.queue.Quota;
import dev.tutti.model.queue.QuotaResource;
import dev.tutti.model.queue.Quotas;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SqlQueueBookContractTest extends QueueBookContract {

    @Override
    protected StoreUnderTest open() {
        return new SqlStore();
    }

    @Test
    void oneKeyMakesOneQueueHoweverManyAsk() {
        List<Created> answers = IntStream.range(0, 8)
                .parallel()
                .mapToObj(i -> store.queues().create(creation("key", "body", "research")))
                .toList();

        Set<String> bytes = new HashSet<>();
        for (Created answer : answers) {
            assertThat(answer).isInstanceOf(Created.Stored.class);
            bytes.add(new String(((Created.Stored) answer).answer(), StandardCharsets.UTF_8));
        }
        assertThat(bytes).hasSize(1);
        assertThat(bytes.iterator().next()).startsWith("research below null with {h100=8000} of {} as ");
        assertThat(store.queues().create(creation("key", "other body", "other")))
                .isInstanceOf(Created.KeyReused.class);
    }

    @Test
    void aRefusedQueueLeavesItsKeyFree() {
        assertThat(store.queues().create(creation("key", "body", "top/below"))).isInstanceOf(Created.Refused.class);

        assertThat(store.queues().create(creation("key", "other body", "top"))).isInstanceOf(Created.Stored.class);
        assertThat(store.queues().create(creation(null, "body", "top/below"))).isInstanceOf(Created.Stored.class);
        assertThat(store.queues().create(creation(null, "body", "top/below"))).isInstanceOf(Created.Refused.class);
    }

    private static Creation creation(String key, String bodyHash, String path) {
        return new Creation(
                new KeyedCall(ANNA, key, bodyHash),
                path,
                Quotas.ofGpus(Map.of("h100", 8_000L)),
                QueueRules.PLAIN,
                queue -> "%s below %s with %s of %s as %d"
                        .formatted(
                                queue.path(),
                                queue.parent(),
                                queue.quotas().amounts(QuotaResource.GPU_MILLI, Quota::nominal),
                                queue.used(),
                                queue.id())
                        .getBytes(StandardCharsets.UTF_8));
    }
}
