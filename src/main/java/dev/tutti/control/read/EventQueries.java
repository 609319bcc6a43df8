package dev.tutti.control.read;

import dev.tutti.model.JobId;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the event stream in commit order: what one replica has shown, every replica shows in the same order. */
public interface EventQueries {

    /**
     * Events after {@code cursor}, oldest first, at most {@code limit}. Rows of transactions that still run are not
     * shown yet, nor any committed after them, so nothing is ever skipped.
     *
     * @param cursor id of the last event seen; null for the oldest kept
     */
    List<EventView> after(@Nullable String cursor, int limit);

    /** Cursor of the newest event there is: a reader that starts here hears only of what comes. */
    String newest();

    /** Events of one job, oldest first. */
    Page<EventView> ofJob(JobId job, PageRequest page);

    /**
     * One event.
     *
     * @param id its cursor
     * @param type such as {@code job.submitted}, {@code job.state}, {@code job.reason}, {@code node.state}
     * @param subject id of what it is about
     * @param data its facts as a JSON object
     */
    record EventView(String id, Instant at, String type, String subject, String data) {}
}
