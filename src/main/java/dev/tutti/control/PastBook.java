package dev.tutti.control;

import dev.tutti.model.QueueId;
import dev.tutti.model.queue.PastShare;
import java.util.Map;

/** Keeps what queues held lately. */
public interface PastBook {

    /**
     * Writes it, all or nothing. What is counted until a later time already stays, so a repeated call changes nothing.
     *
     * @param pasts by queue; one that is gone is left out
     * @throws OutcomeUnknown when nobody knows whether it was written; the next reading tells
     */
    void remember(Map<QueueId, PastShare> pasts, Actor.Leader leader);
}
