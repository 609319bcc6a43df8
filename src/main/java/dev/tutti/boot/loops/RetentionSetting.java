package dev.tutti.boot.loops;

import java.time.Duration;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.diagnostics.FailureAnalyzedException;
import org.springframework.stereotype.Component;

/** How long jobs are kept after they have ended. */
@Component
final class RetentionSetting {

    private static final int MOST_DAYS = 3_650;

    private final Duration age;

    RetentionSetting(@Value("${tutti.retention.job-days}") String days) {
        this.age = Duration.ofDays(parsed(days));
    }

    Duration age() {
        return age;
    }

    private static int parsed(String text) {
        String days = text.strip();
        if (days.matches("[1-9]\\d{0,3}") && Integer.parseInt(days) <= MOST_DAYS) {
            return Integer.parseInt(days);
        }
        throw new FailureAnalyzedException(
                "tutti.retention.job-days is \"" + text + "\", which is no number of days.",
                "Give a whole number from 1 to " + MOST_DAYS + ".");
    }
}
