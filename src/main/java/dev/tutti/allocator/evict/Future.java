package dev.tutti.allocator.evict;

import dev.tutti.allocator.Plan;
import dev.tutti.allocator.RunningJob;
import dev.tutti.allocator.Snapshot;
import dev.tutti.allocator.board.Board;
import dev.tutti.allocator.board.BoardCopy;
import dev.tutti.allocator.board.Hold;
import dev.tutti.allocator.board.Layout;
import dev.tutti.allocator.board.Piece;
import dev.tutti.allocator.board.Pieces;
import dev.tutti.allocator.board.Trail;
import dev.tutti.allocator.fit.Ranking;
import dev.tutti.allocator.fit.Request;
import dev.tutti.allocator.fit.Room;
import dev.tutti.allocator.fit.Search;
import dev.tutti.allocator.policy.Policy;
import dev.tutti.allocator.quota.Account;
import dev.tutti.allocator.quota.LimitCheck;
import dev.tutti.allocator.quota.QuotaCheck;
import dev.tutti.allocator.reserve.Reservation;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Capacity and quota as they will be when those that leave have left: what is free now, what members hold that were let go
 * here, and without the places that were taken here. Decides nothing. Not safe for use by two threads.
 */
final class Future {

    /** Places looked for in one decision. */
    private static final int MOST_SEARCHES = 600;

    private final Layout layout;
    private final Policy policy;
    private final Board board;
    private final BoardCopy copy;
    private final Members members;
    private final Ranking ranking;
    private final Trail trail;
    private Search search;
    private int searchesLeft;
    /** What is kept for these is nobody's else. */
    private List<Reservation> spared = List.of();

    final QuotaCheck quota;
    /** The same without what is only kept for those who wait: it makes nobody who runs one to take from. */
    final QuotaCheck held;

    Future(Snapshot snapshot, Layout layout, Board now, Policy policy) {
        this.layout = layout;
        this.policy = policy;
        board = Board.free(layout, snapshot.fleet());
        copy = new BoardCopy(now, board);
        members = new Members(layout, snapshot.fleet());
        ranking = new Ranking(board, policy.over(board, snapshot.mix()));
        trail = new Trail(board);
        search = new Search(board, ranking);
        quota = new QuotaCheck(snapshot.queues(), layout);
        held = new QuotaCheck(snapshot.queues(), layout);
    }

    /** Sets all to what is so now; nobody has left yet. */
    void begin(Snapshot snapshot, LimitCheck runs, long nowMicros) {
        copy.copy();
        members.follow(snapshot.fleet());
        ranking.use(policy.over(board, snapshot.mix()));
        search = new Search(board, ranking);
        searchesLeft = MOST_SEARCHES;
        spared = List.of();
        quota.follow(snapshot.queues());
        held.follow(snapshot.queues());
        quota.lanes().begin(snapshot.queues().lanes(), nowMicros);
        quota.runs().beginAs(runs);
        held.runs().beginAs(runs);
    }

    /**
     * A place on the board, and as whose it counts.
     *
     * @param isNew whether the job starts; else it runs and grows
     */
    record Start(List<Piece> place, Account account, boolean isNew) {}

    /** One member that was let go, and what of it came back. */
    record Left(
            RunningJob job,
            Plan.PodPlacement member,
            @Nullable Piece given) {}

    Left letGo(RunningJob job, Plan.PodPlacement member) {
        Piece piece = members.piece(member);
        Piece given = piece == null ? null : Pieces.heldOf(board, piece);
        if (given != null) {
            Pieces.give(board, given);
        }
        count(job, member, -1);
        return new Left(job, member, given);
    }

    void takeBack(Left left) {
        if (left.given() != null) {
            Pieces.take(board, left.given());
        }
        count(left.job(), left.member(), 1);
    }

    /** A job holds nothing any more, for -1, or does again. */
    void countRun(RunningJob job, int sign) {
        Account account = account(job);
        quota.runs().count(account, sign);
        held.runs().count(account, sign);
    }

    private Account account(RunningJob job) {
        return new Account(quota.numberOf(job.queue()), job.lane(), job.user());
    }

    private void count(RunningJob job, Plan.PodPlacement member, int sign) {
        Account account = account(job);
        int flavor = layout.flavorOf(member.flavor());
        if (account.queue() >= 0 && flavor >= 0) {
            for (QuotaCheck each : List.of(quota, held)) {
                each.take(
                        account,
                        flavor,
                        sign * (long) member.devices().size() * member.milliPerDevice(),
                        sign * member.cpuMilli(),
                        sign * member.memoryMib());
            }
        }
    }

    /** Where a job would be placed; null when it has no place, or no more places may be looked for. */
    @Nullable
    List<Piece> find(Request request, Room room) {
        if (!maySearch()) {
            return null;
        }
        searchesLeft--;
        List<Hold.Hidden> hidden = new ArrayList<>(spared.size());
        spared.forEach(each -> hidden.add(each.hold().hide(board)));
        boolean found = search.place(request, room, trail);
        List<Piece> place = found ? trail.pieces() : null;
        trail.undoTo(0);
        for (int i = hidden.size() - 1; i >= 0; i--) {
            hidden.get(i).lift();
        }
        return place;
    }

    /** From now on finds places only beside what these jobs need when they start. */
    void spare(List<Reservation> others) {
        spared = others;
    }

    boolean maySearch() {
        return searchesLeft > 0;
    }

    /** A job starts on a place now. What was taken of it for one that waits is taken once: the next decision finds that one another. */
    void start(Start start) {
        start.place().forEach(piece -> Pieces.take(board, Pieces.freeOf(board, piece)));
        countStarted(start);
    }

    /** A job that the board knows already started on a place. */
    void countStarted(Start start) {
        count(quota, start);
        count(held, start);
    }

    /** Takes a place for a job that waits, on the board and of the quota of its queue. */
    void take(Start start) {
        start.place().forEach(piece -> Pieces.take(board, piece));
        count(quota, start);
    }

    private void count(QuotaCheck check, Start start) {
        check.runs().count(start.account(), start.isNew() ? 1 : 0);
        for (Piece piece : start.place()) {
            check.take(
                    start.account(),
                    layout.flavor[piece.position()],
                    piece.gpuMilli(),
                    piece.cpuMilli(),
                    piece.memoryMib());
        }
    }

    /** The opposite of {@link #take}. */
    void give(Start start) {
        quota.runs().count(start.account(), start.isNew() ? -1 : 0);
        for (Piece piece : start.place()) {
            Pieces.give(board, piece);
            quota.give(
                    start.account(),
                    layout.flavor[piece.position()],
                    piece.gpuMilli(),
                    piece.cpuMilli(),
                    piece.memoryMib());
        }
    }
}
