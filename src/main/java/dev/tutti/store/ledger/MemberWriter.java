package dev.tutti.store.ledger;

import dev.tutti.model.AllocationId;
import dev.tutti.model.JobId;
import dev.tutti.model.life.Member;
import dev.tutti.store.Columns;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Writes members and their wishes; the caller holds the locks of their jobs. */
final class MemberWriter {

    private static final String MEMBERS = """
            UPDATE allocations a SET
                phase = u.phase, cause = u.cause, leaving = u.leaving,
                leaving_for = COALESCE(a.leaving_for, u.leaving_for), pod_uid = COALESCE(a.pod_uid, u.pod_uid),
                bound_at = COALESCE(a.bound_at, CASE WHEN u.phase IN ('BOUND', 'RUNNING') THEN now() END),
                called_at = CASE WHEN a.phase = 'WAITING' AND u.phase = 'COMMITTED' THEN now() ELSE a.called_at END,
                lost_at = COALESCE(a.lost_at, CASE WHEN u.phase = 'LOST' THEN now() END),
                released_at = COALESCE(a.released_at, CASE WHEN u.released THEN now() END)
            FROM unnest(:ids::bigint[], :phases::text[], :causes::text[], :uids::text[], :leaving::text[],
                        :leavingFor::uuid[], :released::boolean[])
                AS u (id, phase, cause, pod_uid, leaving, leaving_for, released)
            WHERE a.id = u.id""";

    /** The claim of the old wish stays: the new one is handed out when it is settled or over. */
    private static final String WISH_GONE = """
            UPDATE bind_tasks SET wish = 'DELETE', generation = generation + 1, tries = 0, done = false, due_at = now()
            WHERE allocation_id = ANY (:ids) AND wish = 'BIND'""";

    /** It stood for ever until its member was called. */
    private static final String WISH_NOW = """
            UPDATE bind_tasks SET due_at = now() WHERE allocation_id = ANY (:ids) AND wish = 'BIND' AND due_at = 'infinity'""";

    /** A released member is never bound again. */
    private static final String WISH_NOTHING = """
            UPDATE bind_tasks SET done = true WHERE allocation_id = ANY (:ids) AND wish = 'BIND' AND NOT done""";

    private MemberWriter() {}

    static void write(JdbcClient sql, List<RunStep> steps) {
        List<Member> changed =
                steps.stream().flatMap(step -> step.changedMembers().stream()).toList();
        Map<AllocationId, UUID> beneficiaries = beneficiaries(steps);
        if (!changed.isEmpty()) {
            sql.sql(MEMBERS)
                    .param("ids", Columns.longs(changed, member -> member.id().value()))
                    .param("phases", Columns.texts(changed, Member::phase))
                    .param("causes", Columns.texts(changed, Member::cause))
                    .param("uids", Columns.texts(changed, Member::podUid))
                    .param("leaving", Columns.texts(changed, Member::leaving))
                    .param("leavingFor", Columns.texts(changed, member -> beneficiaries.get(member.id())))
                    .param(
                            "released",
                            Columns.flags(changed, member -> member.phase().isReleased()))
                    .update();
        }
        wish(
                sql,
                WISH_NOW,
                steps.stream().flatMap(step -> step.called().stream()).toList());
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

    /** For whom members are asked to leave by these steps. */
    private static Map<AllocationId, UUID> beneficiaries(List<RunStep> steps) {
        Map<AllocationId, UUID> byMember = new HashMap<>();
        for (RunStep step : steps) {
            JobId beneficiary = step.beneficiary();
            if (beneficiary != null) {
                step.leavers().forEach(member -> byMember.put(member.id(), beneficiary.value()));
            }
        }
        return byMember;
    }

    private static void wish(JdbcClient sql, String statement, List<Member> members) {
        if (!members.isEmpty()) {
            sql.sql(statement)
                    .param("ids", Columns.longs(members, member -> member.id().value()))
                    .update();
        }
    }
}
