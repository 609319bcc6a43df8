package dev.tutti.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.control.JobBook.Submitted;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SqlQueueDoorTest extends QueueDoorContract {

    @Override
    protected StoreUnderTest open() {
        return new SqlStore();
    }

    @Test
    void howeverManySubmitAtOnceNoMoreWaitThanMay() {
        create("team", limited(5, null));

        List<Submitted> all = IntStream.range(0, 24)
                .parallel()
                .mapToObj(i -> take(List.of(job("j" + i, "team", 1, 1, 0)), ANNA))
                .toList();

        assertThat(all.stream().filter(Submitted.Stored.class::isInstance)).hasSize(5);
        assertThat(all.stream().filter(Submitted.NotNow.class::isInstance)).hasSize(19);
        assertThat(everything().waiting()).hasSize(5);
    }
}
