package dev.tutti.store.ledger;

import dev.tutti.model.life.Member;
import dev.tutti.store.Columns;
import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Writes members and their wishes; the caller holds the locks of their jobs. */
final class MemberWriter {

    private static final String MEMBERS = """
            UPDATE allocations a SET
                phase = u.phase, cause = u.cause, leaving = u.leaving, pod_uid = COALESCE(a.pod_uid, u.pod_uid),
                bound_at = COALESCE(a.bound_at, CASE WHEN u.phase IN ('BOUND', 'RUNNING') THEN now() END),
                lost_at = COALESCE(a.lost_at, CASE WHEN u.phase = 'LOST' THEN now() END),
                released_at = COALESCE(a.released_at, CASE WHEN u.released THEN now() END)
            FROM unnest(:ids::bigint[], :phases::text[], :causes::text[], :uids::text[], :leaving::text[],
                        :released::boolean[])
                AS u (id, phase, cause, pod_uid, leaving, released)
            WHERE a.id = u.id""";

    /** The claim of the old wish stays: the new one is handed out when it is settled or over. */
    private static final String WISH_GONE = """
            UPDATE bind_tasks SET wish = 'DELETE', generation = generation + 1, tries = 0, done = false, due_at = now()
            WHERE allocation_id = ANY (:ids) AND wish = 'BIND'""";

    /** A released member is never bound again. */
    private static final String WISH_NOTHING = """
            UPDATE bind_tasks SET done = true WHERE allocation_id = ANY (:ids) AND wish = 'BIND' AND NOT done""";

    private MemberWriter() {}

    static void write(JdbcClient sql, List<RunStep> steps) {
        List<Member> changed =
                steps.stream().flatMap(step -> step.changedMembers().stream()).toList();
        if (!changed.isEmpty()) {
            sql.sql(MEMBERS)
                    .param("ids", Columns.longs(changed, member -> member.id().value()))
                    .param("phases", Columns.texts(changed, Member::phase))
                    .param("causes", Columns.texts(changed, Member::cause))
                    .param("uids", Columns.texts(changed, Member::podUid))
                    .param("leaving", Columns.texts(changed, Member::leaving))
                    .param(
                            "released",
                            Columns.flags(changed, member -> member.phase().isReleased()))
                    .update();
        }
        wish(
                sql,
                WISH_GONE,
                steps.stream()
                        .flatMap(step -> (step.stops() ? step.after().members() : step.leavers()).stream())
                        .filter(member -> !member.phase().isReleased())
                        .toList());
        wish(
                sql,
                WISH_NOTHING,
                changed.stream().filter(member -> member.phase().isReleased()).toList());
    }

    private static void wish(JdbcClient sql, String statement, List<Member> members) {
        if (!members.isEmpty()) {
            sql.sql(statement)
                    .param("ids", Columns.longs(members, member -> member.id().value()))
                    .update();
        }
    }
}
