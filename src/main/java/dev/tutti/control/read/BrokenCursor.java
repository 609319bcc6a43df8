package dev.tutti.control.read;

/** A cursor that no page of ours ever handed out, or one of another list. A caller's mistake. */
public final class BrokenCursor extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public BrokenCursor(String cursor) {
        super("\"" + cursor + "\" is not a cursor of this list");
    }
}
