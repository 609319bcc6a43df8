package dev.tutti.boot.loops;

import dev.tutti.model.job.TimeLimits;
import java.time.Duration;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.diagnostics.FailureAnalyzedException;
import org.springframework.stereotype.Component;

/** How long the pods of an attempt may take to run once all are bound, where the job does not say. */
@Component
final class ReadySetting {

    private final Duration timeout;

    ReadySetting(@Value("${tutti.ready-timeout-seconds}") String seconds) {
        this.timeout = Duration.ofSeconds(parsed(seconds));
    }

    Duration timeout() {
        return timeout;
    }

    private static int parsed(String text) {
        String seconds = text.strip();
        if (seconds.matches("[1-9]\\d{0,4}") && Integer.parseInt(seconds) <= TimeLimits.LONGEST_READY_SECONDS) {
            return Integer.parseInt(seconds);
        }
        throw new FailureAnalyzedException(
                "tutti.ready-timeout-seconds is \"" + text + "\", which is no number of seconds.",
                "Give a whole number from 1 to " + TimeLimits.LONGEST_READY_SECONDS + ".");
    }
}
