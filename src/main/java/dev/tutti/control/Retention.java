package dev.tutti.control;

/** Removes what is no longer kept: answers to idempotency keys and receipts after a day, events after a week. */
public interface Retention {

    /**
     * One bounded step, oldest first.
     *
     * @param rows the most rows of each kind to remove
     * @return how many rows were removed; call again soon when it is not zero
     */
    int prune(int rows, Actor.Leader leader);
}
