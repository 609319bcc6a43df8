package dev.tutti.allocator;

import dev.tutti.allocator.board.Board;
import dev.tutti.allocator.fit.Ranking;
import dev.tutti.allocator.fit.Room;
import dev.tutti.allocator.quota.LimitCheck;
import dev.tutti.allocator.quota.QuotaCheck;
import dev.tutti.allocator.reason.Sentences;
import dev.tutti.model.life.Reason;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Why the classes of a desk wait, and whether what was found out of it by quota and limits may no longer be true. */
final class Explanations {

    private final Feasibility feasibility;
    private final Board board;
    private final Ranking ranking;
    private final QuotaCheck quota;
    private final Function<JobClass, Room> room;
    private @Nullable WaitReasons reasons;

    /** @param room what a job of a class may take now */
    Explanations(
            Feasibility feasibility, Board board, Ranking ranking, QuotaCheck quota, Function<JobClass, Room> room) {
        this.feasibility = feasibility;
        this.board = board;
        this.ranking = ranking;
        this.quota = quota;
        this.room = room;
    }

    /** A decision begins: each has its own steps for searches. */
    void begin() {
        reasons = null;
    }

    WaitReasons reasons() {
        WaitReasons now = reasons;
        if (now == null) {
            now = new WaitReasons(feasibility, board, ranking, quota);
            reasons = now;
        }
        return now;
    }

    /** Finds out why the class waits, at the state after all placements. One that grows runs: nobody asks why it waits. */
    void explain(JobClass kind) {
        kind.waitsForHeld = kind.grows && kind.heldFor != null;
        Reason reason = kind.grows ? null : reasons().find(kind);
        kind.explain(reason == null && kind.heldBack ? Sentences.keptForOthers() : reason);
        kind.tellStart(quota.lanes().nextStartMicros(kind.lane));
        kind.tell(kind.reservation != null ? kind.reservation : kind.waitsForHeld ? kind.heldFor : null);
        kind.roomSeen = room.apply(kind);
        kind.limitSeen = limitMet(kind);
    }

    /** Whether quota and limits leave the class what they left it when it was explained. */
    boolean isAsSeen(JobClass kind) {
        return room.apply(kind).isSameAs(kind.roomSeen)
                && Objects.equals(limitMet(kind), kind.limitSeen)
                && (kind.queueNumber < 0
                        || quota.limits(kind.queueNumber, kind.lane).isSameAs(kind.limitsSeen));
    }

    private LimitCheck.@Nullable Met limitMet(JobClass kind) {
        return kind.queueNumber < 0 ? null : quota.runs().met(kind.account, kind.request);
    }
}
