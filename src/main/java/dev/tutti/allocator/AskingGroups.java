package dev.tutti.allocator;

import dev.tutti.allocator.WaitingBook.Group;
import dev.tutti.model.JobId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which groups are tried because others could leave for them: those for which some are leaving in every decision, and the
 * first of those who might ask somebody when something changed since they were tried.
 */
final class AskingGroups {

    /** Groups that are tried in one decision for this alone. */
    private static final int MOST = 64;

    private @Nullable RunningBook book;
    private long seen = -1;
    private long nextUnprotectedMicros = Long.MAX_VALUE;
    /** Something changed while not all had had their try: those who had see something else now. */
    private boolean isAnotherRoundDue;

    /** Whether a next decision would try somebody although nothing changes. */
    boolean hasMore(Desk desk) {
        return desk.asked().somebodyLacksATry() || isAnotherRoundDue;
    }

    /**
     * Adds them.
     *
     * @param isNew whether anything of jobs that wait, capacity or quota changed since the last decision
     * @param isRoundOpen whether somebody had no try in the last decision
     */
    void addTo(
            Set<Group> toTry,
            Desk desk,
            WaitingBook waiting,
            RunningBook running,
            boolean isNew,
            boolean isRoundOpen,
            long nowMicros) {
        for (JobId job : desk.asked().beneficiaries()) {
            WaitingJob beneficiary = waiting.toStart(job);
            if (beneficiary != null) {
                toTry.add(waiting.groupOf(beneficiary));
            }
        }
        if (desk.asked().runsNobody()) {
            seen = -1;
            return;
        }
        boolean changed = isNew || running != book || running.changes() != seen || nowMicros >= nextUnprotectedMicros;
        if (isRoundOpen) {
            isAnotherRoundDue |= changed;
        } else if (isAnotherRoundDue) {
            isAnotherRoundDue = false;
            changed = true;
        }
        if (changed || isRoundOpen) {
            addThoseWhoMayAsk(toTry, desk, waiting);
            book = running;
            seen = running.changes();
            nextUnprotectedMicros = running.nextUnprotectedMicros(nowMicros);
        }
    }

    private static void addThoseWhoMayAsk(Set<Group> toTry, Desk desk, WaitingBook waiting) {
        List<Group> may = new ArrayList<>();
        List<Group> hadTheirTry = new ArrayList<>();
        for (Group group : waiting.groups()) {
            if (group.ready.isEmpty() || toTry.contains(group)) {
                continue;
            }
            WaitingJob first = group.ready.first();
            if (desk.claimant(first, desk.kindOf(group)) != null) {
                (desk.asked().hadItsTry(first.job()) ? hadTheirTry : may).add(group);
            }
        }
        if (may.size() > MOST) {
            desk.asked().putOff();
        }
        toTry.addAll(first(may));
        toTry.addAll(first(hadTheirTry));
    }

    private static List<Group> first(List<Group> groups) {
        groups.sort(Comparator.comparing((Group group) -> group.ready.first(), WaitingJob.ORDER));
        return groups.subList(0, Math.min(MOST, groups.size()));
    }
}
