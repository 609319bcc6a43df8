package dev.tutti.control.intake;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.control.Rows;
import dev.tutti.model.job.JobSpec;
import dev.tutti.model.job.Lane;
import dev.tutti.model.job.TimeLimits;
import dev.tutti.model.life.JobState;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SpecChangeTest {

    @Test
    void aLaneThatCannotChangeYetSaysWhatMustComeFirst() {
        JobSpec job = Rows.job("job", 1, 8);
        SpecChange change = new SpecChange(job, job.with(Lane.RED, 0, TimeLimits.NONE, Map.of()));

        assertThat(change.notNow(JobState.RUNNING).orElseThrow().message()).endsWith("suspend the job first");
        assertThat(change.notNow(JobState.STOPPING).orElseThrow().message())
                .endsWith("wait until it is SUSPENDED")
                .doesNotContain("suspend the job first");
        assertThat(change.notNow(JobState.SUSPENDED)).isEmpty();
    }
}
