package dev.tutti.boot.loops;

import dev.tutti.control.view.VictimRules;
import java.time.Duration;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.diagnostics.FailureAnalyzedException;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** How long what runs is no victim. */
@Configuration(proxyBeanMethods = false)
class PreemptionSetting {

    private static final int MOST_SECONDS = 604_800;

    @Bean
    VictimRules victimRules(@Value("${tutti.preemption.min-runtime-seconds}") String seconds) {
        return new VictimRules(Duration.ofSeconds(parsed(seconds)));
    }

    private static int parsed(String text) {
        String seconds = text.strip();
        if (seconds.matches("\\d{1,6}") && Integer.parseInt(seconds) <= MOST_SECONDS) {
            return Integer.parseInt(seconds);
        }
        throw new FailureAnalyzedException(
                "tutti.preemption.min-runtime-seconds is \"" + text + "\", which is no number of seconds.",
                "Give a whole number from 0 to " + MOST_SECONDS + ".");
    }
}
