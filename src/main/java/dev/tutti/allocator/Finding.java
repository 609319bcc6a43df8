package dev.tutti.allocator;

import dev.tutti.model.life.Reason;
import org.jspecify.annotations.Nullable;

/**
 * What one of those that decide over the start of a job says of it.
 *
 * @param decider who says it
 * @param outcome whether it lets the job through
 * @param resource what its numbers are of, as in {@link Reason}; null where it has none
 * @param wanted how much the job needs of it at the least; null where it has no numbers
 * @param available how much there is for it; null where it has no numbers, or where nothing limits it
 * @param detail one sentence of one that blocks, or that lets it use only some of the flavors that it names; null of others
 * @param opensMicros when it may use another flavor, in microseconds since 1970; null when it may use all, and when it never may
 */
public record Finding(
        Decider decider,
        Outcome outcome,
        @Nullable String resource,
        @Nullable Long wanted,
        @Nullable Long available,
        @Nullable String detail,
        @Nullable Long opensMicros) {

    /** A finding that has nothing to do with flavors that open. */
    public Finding(
            Decider decider,
            Outcome outcome,
            @Nullable String resource,
            @Nullable Long wanted,
            @Nullable Long available,
            @Nullable String detail) {
        this(decider, outcome, resource, wanted, available, detail, null);
    }

    /** Who decides, in this order. */
    public enum Decider {
        /** The queue and the lane let jobs start, and the job is not to rest first. */
        ADMISSION,
        /** What the queue may still use. */
        QUOTA,
        /** Whether the job would fit if nothing else ran. */
        GANG_SIZE,
        /** Nodes of its flavors that it may use, and that are open and healthy. */
        FLAVOR_AND_HEALTH,
        /** What is free in sum. */
        CAPACITY,
        /** Whether it is free in the right pieces, near enough. */
        TOPOLOGY,
        /** RDMA NICs. */
        BANDWIDTH,
        /** What is kept for others, or is to become free for this one. */
        RESERVATION
    }

    /** What it says. */
    public enum Outcome {
        PASSES,
        BLOCKS,
        /** It is not asked, because another blocks. */
        NOT_ASKED
    }

    static Finding passes(Decider decider) {
        return new Finding(decider, Outcome.PASSES, null, null, null, null);
    }

    /** The same of a job to which not all flavors are open that it names. */
    Finding onSomeFlavors(String sentence, long untilMicros) {
        return new Finding(
                decider,
                outcome,
                resource,
                wanted,
                available,
                detail == null ? sentence : detail + " " + sentence,
                untilMicros == LanesNow.NEVER ? null : Long.valueOf(untilMicros));
    }

    static Finding notAsked(Decider decider) {
        return new Finding(decider, Outcome.NOT_ASKED, null, null, null, null);
    }

    static Finding blocks(Decider decider, Reason reason) {
        boolean hasNumbers = reason.resource() != null;
        return new Finding(
                decider,
                Outcome.BLOCKS,
                reason.resource(),
                hasNumbers ? reason.wanted() : null,
                hasNumbers ? reason.available() : null,
                reason.detail());
    }
}
