package dev.tutti.store.ledger;

import dev.tutti.allocator.Plan.Reservation;
import dev.tutti.model.NodeId;
import dev.tutti.store.Columns;
import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Writes what is planned for later in one statement: rows that are as they were are not touched. */
final class ReservationWriter {

    private static final String WRITE = """
            WITH planned AS MATERIALIZED (
                SELECT p.id, 'epoch'::timestamptz + p.start * interval '1 microsecond' AS start_at,
                       p.nodes::bigint[] AS node_ids, p.gpu_milli
                FROM unnest(:jobs::uuid[], :starts::bigint[], :nodes::text[], :gpus::bigint[])
                    AS p (id, start, nodes, gpu_milli)
                JOIN jobs j ON j.id = p.id AND j.state = 'QUEUED'
            ), gone AS (
                DELETE FROM reservations r WHERE NOT EXISTS (SELECT 1 FROM planned p WHERE p.id = r.job_id)
            )
            INSERT INTO reservations AS r (job_id, start_at, node_ids, gpu_milli)
            SELECT id, start_at, node_ids, gpu_milli FROM planned ORDER BY id
            ON CONFLICT (job_id) DO UPDATE SET start_at = EXCLUDED.start_at, node_ids = EXCLUDED.node_ids,
                gpu_milli = EXCLUDED.gpu_milli, decided_at = now()
            WHERE (r.start_at, r.node_ids, r.gpu_milli)
                IS DISTINCT FROM (EXCLUDED.start_at, EXCLUDED.node_ids, EXCLUDED.gpu_milli)""";

    private ReservationWriter() {}

    static int write(JdbcClient sql, List<Reservation> reservations) {
        return sql.sql(WRITE)
                .param("jobs", Columns.texts(reservations, one -> one.job().value()))
                .param("starts", Columns.longs(reservations, Reservation::startMicros))
                .param(
                        "nodes",
                        Columns.texts(
                                reservations,
                                one -> Columns.array(
                                        one.nodes().stream().map(NodeId::value).toList())))
                .param("gpus", Columns.longs(reservations, Reservation::gpuMilli))
                .update();
    }
}
