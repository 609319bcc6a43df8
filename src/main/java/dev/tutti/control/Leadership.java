package dev.tutti.control;

import java.util.OptionalLong;

/** Who leads: a row with a term, taken by the database's clock (house rule R6). */
public interface Leadership {

    /**
     * Takes or renews leadership for {@code holder}.
     *
     * @param holder name of this replica, unique per process start
     * @return the term in which it leads; empty while another holds an unexpired lease. The term changes only when
     *     the holder changes
     */
    OptionalLong lead(String holder);

    /** Gives leadership up, so that another need not wait for the lease to expire. Without effect if not held. */
    void resign(String holder);
}
