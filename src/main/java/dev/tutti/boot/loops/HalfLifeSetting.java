package dev.tutti.boot.loops;

import dev.tutti.allocator.quota.HalfLife;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.diagnostics.FailureAnalyzedException;
import org.springframework.stereotype.Component;

/** How fast it is forgotten what queues held. */
@Component
final class HalfLifeSetting {

    private static final int FEWEST_SECONDS = 600;
    private static final int MOST_SECONDS = 2_592_000;

    private final HalfLife halfLife;

    HalfLifeSetting(@Value("${tutti.fair-share.half-life-seconds}") String seconds) {
        this.halfLife = new HalfLife(parsed(seconds));
    }

    HalfLife halfLife() {
        return halfLife;
    }

    private static int parsed(String text) {
        String digits = text.strip();
        int seconds = digits.matches("\\d{1,7}") ? Integer.parseInt(digits) : -1;
        if (seconds == 0 || seconds >= FEWEST_SECONDS && seconds <= MOST_SECONDS) {
            return seconds;
        }
        throw new FailureAnalyzedException(
                "tutti.fair-share.half-life-seconds is \"" + text + "\", which is no half-life.",
                "Give whole seconds from " + FEWEST_SECONDS + " to " + MOST_SECONDS + ", or 0 to forget at once.");
    }
}
