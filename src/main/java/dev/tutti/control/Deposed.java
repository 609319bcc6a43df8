package dev.tutti.control;

/** Another replica leads: the write was refused and nothing of it is stored. The loops stop and ask for leadership anew. */
public final class Deposed extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public Deposed(long term) {
        super("term " + term + " is over; another replica leads");
    }
}
