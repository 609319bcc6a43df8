package dev.tutti.web;

import dev.tutti.control.read.BrokenCursor;
import dev.tutti.control.read.CursorTooOld;
import dev.tutti.control.read.EventQueries;
import dev.tutti.control.read.Page;
import dev.tutti.control.read.PageRequest;
import dev.tutti.model.JobId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Events in memory; cursors are numbers, those below the first one kept are too old. */
final class MemoryEvents implements EventQueries {

    final AtomicInteger reads = new AtomicInteger();
    private final List<EventView> all = new ArrayList<>();
    private long last;
    private long forgotten;

    synchronized EventView add(String type, String subject, String data) {
        EventView event = new EventView(Long.toString(++last), Instant.EPOCH, type, subject, data);
        all.add(event);
        return event;
    }

    /** Keeps only the events from now on. */
    synchronized void forget() {
        forgotten = last;
        all.clear();
    }

    @Override
    public synchronized List<EventView> after(String cursor, int limit) {
        reads.incrementAndGet();
        long after = cursor == null ? forgotten : number(cursor);
        if (after < forgotten) {
            throw new CursorTooOld(cursor);
        }
        return all.stream()
                .filter(event -> number(event.id()) > after)
                .limit(limit)
                .toList();
    }

    @Override
    public synchronized String newest() {
        return Long.toString(last);
    }

    @Override
    public synchronized Page<EventView> ofJob(JobId job, PageRequest page) {
        List<EventView> mine = all.stream()
                .filter(event -> event.subject().equals(job.toString()))
                .toList();
        return MemoryPages.page(mine, page, EventView::id);
    }

    private static long number(String cursor) {
        try {
            return Long.parseLong(cursor);
        } catch (NumberFormatException broken) {
            throw new BrokenCursor(cursor);
        }
    }
}
