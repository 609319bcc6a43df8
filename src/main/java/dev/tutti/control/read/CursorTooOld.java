package dev.tutti.control.read;

/** Events at this cursor are no longer kept: the reader must list again and start from now. */
public final class CursorTooOld extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public CursorTooOld(String cursor) {
        super("events at \"" + cursor + "\" are no longer kept");
    }
}
