package dev.tutti.allocator.reserve;

import dev.tutti.allocator.board.Board;
import dev.tutti.allocator.board.Hold;
import dev.tutti.allocator.board.Place;
import dev.tutti.allocator.board.Trail;
import dev.tutti.allocator.fit.Ranking;
import dev.tutti.allocator.fit.Request;
import dev.tutti.allocator.fit.Room;
import dev.tutti.allocator.fit.Search;
import dev.tutti.allocator.policy.BestFit;
import dev.tutti.allocator.policy.Mix;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The fleet as it will be after so many of the known ends. More is free after each, so the first after which a job fits is
 * found by halving. What is kept for others is hidden here as it is now.
 */
final class Future {

    private final Board board;
    private final Endings endings;
    private final Holdings holdings;
    private final List<Reservation> others;
    private final Search search;
    private final Trail trail;
    private final Place[] given;
    private int passed;

    /**
     * @param now what is free now, with nothing hidden
     * @param others those whose turn is before
     */
    Future(Board now, Endings endings, Holdings holdings, List<Reservation> others) {
        this.board = now.copy();
        this.endings = endings.with(others);
        this.holdings = holdings;
        this.others = others;
        this.search = new Search(board, new Ranking(board, new BestFit().over(board, Mix.UNKNOWN)));
        this.trail = new Trail(board);
        this.given = new Place[this.endings.size()];
    }

    /** A place, and from when on it is free; {@link Long#MIN_VALUE} for now. */
    record Found(long startMicros, Place place, Hold hold) {}

    /**
     * Where and when the job can start; null when it does not fit after all known ends.
     *
     * @param before where and when it could start by the last decision; kept unless it can start sooner
     */
    @Nullable
    Found earliest(Request request, Room room, @Nullable Reservation before) {
        int known = before == null ? 0 : endings.until(before.startMicros());
        if (before == null || !isFreeAfter(known, before.place())) {
            return first(request, room);
        }
        int earlier = known == 0 ? 0 : endings.until(endings.at(known - 1).micros() - 1);
        Place sooner = known == 0 ? null : placeAfter(earlier, request, room);
        return sooner == null ? found(known, before.place()) : between(0, earlier, sooner, request, room);
    }

    /** Looks near at first: of many ends mostly the next few are enough. */
    private @Nullable Found first(Request request, Room room) {
        int tooFew = 0;
        for (int step = 1; tooFew < endings.size(); step *= 2) {
            int next = Math.min(tooFew + step, endings.size());
            Place place = placeAfter(next, request, room);
            if (place != null) {
                return between(tooFew, next, place, request, room);
            }
            tooFew = next;
        }
        return null;
    }

    private Found between(int tooFew, int enough, Place place, Request request, Room room) {
        int low = tooFew;
        int high = enough;
        Place found = place;
        while (high - low > 1) {
            int middle = (low + high) >>> 1;
            Place sooner = placeAfter(middle, request, room);
            if (sooner == null) {
                low = middle;
            } else {
                high = middle;
                found = sooner;
            }
        }
        return found(high, found);
    }

    private Found found(int ends, Place place) {
        long startMicros = ends == 0 ? Long.MIN_VALUE : endings.at(ends - 1).micros();
        // All that end at this time have ended then.
        moveTo(endings.until(startMicros));
        List<Hold.Hidden> hidden = hide();
        place.take(board);
        Found found = new Found(startMicros, place, Hold.of(board, place));
        place.give(board);
        hidden.forEach(Hold.Hidden::lift);
        return found;
    }

    private boolean isFreeAfter(int ends, Place place) {
        moveTo(ends);
        List<Hold.Hidden> hidden = hide();
        boolean isFree = place.takeIfFree(board);
        if (isFree) {
            place.give(board);
        }
        hidden.forEach(Hold.Hidden::lift);
        return isFree;
    }

    private @Nullable Place placeAfter(int ends, Request request, Room room) {
        moveTo(ends);
        List<Hold.Hidden> hidden = hide();
        Place place = search.place(request, room, trail) ? trail.places() : null;
        trail.undoTo(0);
        hidden.forEach(Hold.Hidden::lift);
        return place;
    }

    private void moveTo(int ends) {
        for (; passed < ends; passed++) {
            of(passed).give(board);
        }
        while (passed > ends) {
            of(--passed).take(board);
        }
    }

    private Place of(int ending) {
        if (given[ending] == null) {
            Endings.Ending one = endings.at(ending);
            given[ending] = one.job() == null ? new Place(List.of()) : holdings.of(one.job());
        }
        return given[ending];
    }

    /** Hides what is kept for those who will not have ended yet. */
    private List<Hold.Hidden> hide() {
        long now = passed == 0 ? Long.MIN_VALUE : endings.at(passed - 1).micros();
        List<Hold.Hidden> hidden = new ArrayList<>();
        for (Reservation other : others) {
            if (other.endMicros() > now) {
                hidden.add(other.hold().hide(board));
            }
        }
        return hidden;
    }
}
