package dev.tutti.kubernetes;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What came back from one call: a reply of some kind, or nothing. Says nothing about what that means. */
sealed interface Answer {

    /**
     * A whole reply arrived.
     *
     * @param code HTTP status
     * @param body the text, possibly not JSON
     * @param retryAfter what the header asks for; null when it asks for nothing readable
     */
    record Reply(int code, String body, @Nullable Duration retryAfter) implements Answer {
        boolean isSuccess() {
            return code >= 200 && code < 300;
        }
    }

    /** No reply within the time limit, or the connection failed: the call may have had its effect. */
    record Silence(String why) implements Answer {}
}
