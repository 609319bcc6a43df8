package dev.tutti.store.stream;

import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * How far a reader of changes has read.
 *
 * @param xid the oldest transaction that was still running
 * @param atMicros when, by the database's clock, in microseconds since 1970
 */
record ChangeCursor(String xid, long atMicros) {

    private static final char MARK = '@';

    /**
     * A job bears the time at which its transaction began, and no transaction lives longer than five seconds. So whatever
     * was not to be seen at the last reading was submitted no earlier than this before it.
     */
    private static final long UNSEEN_MICROS = TimeUnit.SECONDS.toMicros(10);

    static ChangeCursor parse(String text) {
        int mark = text.indexOf(MARK);
        return new ChangeCursor(text.substring(0, mark), Long.parseLong(text.substring(mark + 1)));
    }

    Map<String, Object> parameters() {
        return Map.of("cursor", xid, "submittedSince", atMicros - UNSEEN_MICROS);
    }

    @Override
    public String toString() {
        return xid + MARK + atMicros;
    }
}
