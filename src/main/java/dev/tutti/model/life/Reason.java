package dev.tutti.model.life;

import org.jspecify.annotations.Nullable;

/**
 * Why a job waits, with its numbers. Since when is the store's to add: a verdict is written at once when its code changes, and its words and
 * numbers a little later.
 *
 * @param code the verdict
 * @param resource what is short: {@code gpuMilli}, {@code cpuMilli}, {@code memoryMib}, {@code rdma} for NICs, {@code mig}
 *     for MIG instances, {@code pods}, {@code domains} of a topology level, {@code runningJobs}; null where the verdict is not about an amount
 * @param wanted how much the job needs of it at the least
 * @param available how much there is for it: of what would fit of it if it were as large as possible, or in sum, as the detail
 *     says; unhealthy and fenced devices are not available now
 * @param detail one plain sentence for a person; free of secrets and of other tenants' names
 * @param untilMicros when another flavor opens to the job, so that it is told anew, in microseconds since 1970; 0 when none is
 *     closed, {@link Long#MAX_VALUE} for never
 */
public record Reason(
        ReasonCode code, @Nullable String resource, long wanted, long available, String detail, long untilMicros) {

    /** A reason of a job to which no flavor is closed that it names. */
    public Reason(ReasonCode code, @Nullable String resource, long wanted, long available, String detail) {
        this(code, resource, wanted, available, detail, 0);
    }
}
