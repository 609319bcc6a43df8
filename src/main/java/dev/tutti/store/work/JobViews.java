package dev.tutti.store.work;

import dev.tutti.control.read.JobView;
import dev.tutti.control.read.JobView.Head;
import dev.tutti.control.read.JobView.Reservation;
import dev.tutti.model.JobId;
import dev.tutti.model.QueueId;
import dev.tutti.model.job.JobSpec;
import dev.tutti.model.job.Lane;
import dev.tutti.model.life.EndCause;
import dev.tutti.model.life.JobState;
import dev.tutti.model.life.Reason;
import dev.tutti.store.Json;
import dev.tutti.store.Pages;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Makes job views of rows. The position is the row number in the queue's order of consideration. */
final class JobViews {

    /** Goes on after a common table expression {@code page (id, queue_id, state)}. */
    static final String SELECT = """
            , place AS (
                SELECT w.id, row_number() OVER (PARTITION BY w.queue_id
                    ORDER BY l.rank, w.priority DESC, w.submitted_at, w.id) AS position
                FROM jobs w JOIN lanes l ON l.name = w.lane
                WHERE w.state = 'QUEUED' AND NOT w.waits_for_parents
                  AND w.queue_id IN (SELECT queue_id FROM page WHERE state = 'QUEUED')
            )
            SELECT j.id, j.name, j.lane, j.priority, j.max_failures, j.version, j.queue_id, q.path, j.state, j.suspend, j.reason::text AS reason, j.reason_since, j.cause,
                   j.stopping_for,
                   j.attempt, j.failures, place.position, j.submitted_by, j.submitted_at, j.allocated_at,
                   j.started_at, j.ended_at, s.spec::text AS spec, r.start_at, r.gpu_milli,
                   (SELECT json_agg(n.name ORDER BY n.id) FROM nodes n WHERE n.id = ANY (r.node_ids))::text AS nodes
            FROM page
            JOIN jobs j ON j.id = page.id
            JOIN queues q ON q.id = j.queue_id
            JOIN job_specs s ON s.job_id = j.id
            LEFT JOIN place ON place.id = j.id
            LEFT JOIN reservations r ON r.job_id = j.id AND j.state = 'QUEUED'
            """;

    static final String ONE =
            "WITH page AS MATERIALIZED (SELECT id, queue_id, state FROM jobs WHERE id = :id)\n" + SELECT;

    private JobViews() {}

    static JobView view(ResultSet row, int number) throws SQLException {
        String reason = row.getString("reason");
        String cause = row.getString("cause");
        UUID stoppingFor = row.getObject("stopping_for", UUID.class);
        return new JobView(
                new JobId(row.getObject("id", UUID.class)),
                row.getLong("version"),
                new QueueId(row.getLong("queue_id")),
                row.getString("path"),
                new Head(
                        row.getString("name"),
                        Lane.valueOf(row.getString("lane").toUpperCase(Locale.ROOT)),
                        row.getInt("priority"),
                        row.getInt("max_failures")),
                spec(row.getString("spec")),
                JobState.valueOf(row.getString("state")),
                row.getBoolean("suspend"),
                reason == null ? null : Json.read(reason, Reason.class),
                Pages.instant(row, "reason_since"),
                cause == null ? null : EndCause.valueOf(cause),
                stoppingFor == null ? null : new JobId(stoppingFor),
                row.getInt("attempt"),
                row.getInt("failures"),
                row.getObject("position", Long.class),
                reservation(row),
                row.getString("submitted_by"),
                Objects.requireNonNull(Pages.instant(row, "submitted_at")),
                Pages.instant(row, "allocated_at"),
                Pages.instant(row, "started_at"),
                Pages.instant(row, "ended_at"));
    }

    /** Null for one that cannot be read: the rest of its job is shown, and the page with it. */
    private static @Nullable JobSpec spec(String json) {
        try {
            return Json.read(json, JobSpec.class);
        } catch (RuntimeException unreadable) {
            return null;
        }
    }

    private static @Nullable Reservation reservation(ResultSet row) throws SQLException {
        Instant startAt = Pages.instant(row, "start_at");
        String nodes = row.getString("nodes");
        return startAt == null || nodes == null
                ? null
                : new Reservation(startAt, List.of(Json.read(nodes, String[].class)), row.getLong("gpu_milli"));
    }
}
