package dev.tutti.web.calls;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.tutti.web.problem.Problem;
import dev.tutti.web.problem.ProblemKind;
import dev.tutti.web.problem.ProblemWriter;
import io.github.bucket4j.Bucket;
import io.github.bucket4j.ConsumptionProbe;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Component;

/** One token bucket per caller, on this replica. It keeps one caller from crowding out the others; it is no quota. */
@Component
public final class RateLimits {

    private static final int CALLERS = 10_000;
    private static final Duration FORGOTTEN_AFTER = Duration.ofMinutes(10);
    private static final long NANOS = 1_000_000_000L;

    private final long perSecond;
    private final long burst;
    private final Cache<String, Bucket> buckets = Caffeine.newBuilder()
            .maximumSize(CALLERS)
            .expireAfterAccess(FORGOTTEN_AFTER)
            .build();

    RateLimits(
            @Value("${tutti.rate-limit.per-second:2000}") long perSecond,
            @Value("${tutti.rate-limit.burst:4000}") long burst) {
        this.perSecond = perSecond;
        this.burst = burst;
    }

    /** Takes one call of {@code who}; when there is none left the answer is written and false is returned. */
    public boolean admit(String who, HttpServletRequest request, HttpServletResponse response) throws IOException {
        ConsumptionProbe probe = buckets.get(who, name -> newBucket()).tryConsumeAndReturnRemaining(1);
        response.setHeader(
                "RateLimit-Policy", "\"caller\";q=%d;w=%d".formatted(burst, seconds(burst * NANOS / perSecond)));
        response.setHeader(
                "RateLimit",
                "\"caller\";r=%d;t=%d".formatted(probe.getRemainingTokens(), seconds(probe.getNanosToWaitForReset())));
        if (!probe.isConsumed()) {
            int wait = (int) Math.max(1, seconds(probe.getNanosToWaitForRefill()));
            ProblemWriter.write(
                    request,
                    response,
                    Problem.retry(ProblemKind.TOO_MANY_REQUESTS, "more than " + perSecond + " calls a second", wait));
        }
        return probe.isConsumed();
    }

    private Bucket newBucket() {
        return Bucket.builder()
                .addLimit(limit -> limit.capacity(burst).refillGreedy(perSecond, Duration.ofSeconds(1)))
                .build();
    }

    private static long seconds(long nanos) {
        return (nanos + NANOS - 1) / NANOS;
    }
}
