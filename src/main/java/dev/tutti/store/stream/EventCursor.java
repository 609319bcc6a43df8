package dev.tutti.store.stream;

import dev.tutti.control.read.BrokenCursor;
import java.util.Comparator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A place in the stream: transaction and event, in the order of commits; the same on every replica. */
record EventCursor(long xid, long id) implements Comparable<EventCursor> {

    private static final Pattern FORM = Pattern.compile("(\\d{1,18})-(\\d{1,18})");
    private static final Comparator<EventCursor> ORDER =
            Comparator.comparingLong(EventCursor::xid).thenComparingLong(EventCursor::id);

    static EventCursor parse(String text) {
        Matcher form = FORM.matcher(text);
        if (!form.matches()) {
            throw new BrokenCursor(text.length() > 64 ? text.substring(0, 64) + "…" : text);
        }
        return new EventCursor(Long.parseLong(form.group(1)), Long.parseLong(form.group(2)));
    }

    @Override
    public int compareTo(EventCursor other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return xid + "-" + id;
    }
}
