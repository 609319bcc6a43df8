package dev.tutti.web.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.model.life.Reason;
import dev.tutti.model.life.ReasonCode;
import dev.tutti.web.jobs.JobResponse.ReasonResponse;
import org.junit.jupiter.api.Test;

class ReasonResponseTest {

    @Test
    void onlyWhatIsShortHasAmounts() {
        ReasonResponse closed =
                ReasonResponse.of(new Reason(ReasonCode.LANE_CLOSED, null, 0, 0, "The red lane opens at 20:00."), null);
        assertThat(closed.wanted()).isNull();
        assertThat(closed.available()).isNull();

        ReasonResponse none = ReasonResponse.of(
                new Reason(ReasonCode.WAITING_FOR_CAPACITY, "gpuMilli", 8_000, 0, "Too few are free."), null);
        assertThat(none.wanted()).isEqualTo(8_000);
        assertThat(none.available()).isZero();
    }
}
