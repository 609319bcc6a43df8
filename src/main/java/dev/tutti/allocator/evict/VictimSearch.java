package dev.tutti.allocator.evict;

import dev.tutti.allocator.board.Piece;
import dev.tutti.allocator.fit.Room;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Finds few units without which a job has a place: the shortest beginning of the list with which there is one, of it those
 * that hold something where the place is, and of those the ones that it needs. Leaves nobody gone on its way.
 */
final class VictimSearch {

    /** So many are tried alone, those first who lose least. */
    private static final int MOST_ALONE = 8;

    private final Future future;
    private final Claimant claimant;
    private final Supplier<Room> room;
    private final List<Step> steps = new ArrayList<>();
    private int gone;

    /** @param room what the job may take by quota, asked anew as others leave */
    VictimSearch(Future future, Claimant claimant, Supplier<Room> room) {
        this.future = future;
        this.claimant = claimant;
        this.room = room;
    }

    /** What was found: who leaves, all of them gone now, and the place that it makes. */
    record Found(List<Unit> units, List<Piece> place) {}

    /**
     * Looks for units to ask.
     *
     * @param units by preference
     * @param mayTake asked about each when those before it are gone
     * @return null, and nobody is gone, when even all of them do not help
     */
    @Nullable
    Found find(List<Unit> units, Predicate<Unit> mayTake) {
        for (Unit unit : units) {
            if (mayTake.test(unit)) {
                steps.add(new Step(unit));
                goTo(steps.size());
            }
        }
        List<Piece> place = steps.isEmpty() ? null : look();
        if (place != null) {
            place = shorten(place);
        }
        if (place == null) {
            goTo(0);
            return null;
        }
        place = oneForAll(dropOthers(dropElsewhere(place)), units, mayTake);
        return new Found(steps.stream().map(step -> step.unit).toList(), place);
    }

    private @Nullable List<Piece> look() {
        return future.find(claimant.request(), room.get());
    }

    /** Cuts the list to its shortest beginning with a place, which is looked for in doubling and then halving steps. */
    private @Nullable List<Piece> shorten(List<Piece> placeOfAll) {
        List<Piece> place = placeOfAll;
        int enough = steps.size();
        int tooFew = 0;
        int next = 1;
        while (enough - tooFew > 1) {
            goTo(next);
            List<Piece> found = look();
            if (found == null) {
                tooFew = next;
                next = enough == steps.size() ? Math.min(2 * next, (next + enough + 1) / 2) : (next + enough) / 2;
            } else {
                enough = next;
                place = found;
                next = (tooFew + enough) / 2;
            }
        }
        goTo(enough);
        while (steps.size() > enough) {
            steps.remove(steps.size() - 1);
        }
        return place;
    }

    /** Lets those stay that hold nothing where the place is, unless quota needs them gone. */
    private List<Piece> dropElsewhere(List<Piece> place) {
        BitSet nodes = new BitSet();
        place.forEach(piece -> nodes.set(piece.position()));
        List<Step> all = List.copyOf(steps);
        List<Step> near = all.stream().filter(step -> step.isOn(nodes)).toList();
        if (near.size() == all.size()) {
            return place;
        }
        goTo(0);
        steps.clear();
        steps.addAll(near);
        goTo(near.size());
        List<Piece> found = look();
        if (found != null) {
            return found;
        }
        goTo(0);
        steps.clear();
        steps.addAll(all);
        goTo(all.size());
        return place;
    }

    /** Lets each stay without whom there is a place all the same, those first who would lose most. */
    private List<Piece> dropOthers(List<Piece> found) {
        List<Piece> place = found;
        for (int i = steps.size() - 1; i >= 0 && steps.size() > 1 && future.maySearch(); i--) {
            Step step = steps.get(i);
            step.comeBack();
            List<Piece> without = look();
            if (without == null) {
                step.leave();
            } else {
                place = without;
                steps.remove(i);
                gone--;
            }
        }
        return place;
    }

    /** Lets a single one leave instead of those found, if that loses less work and is no worse otherwise. */
    private List<Piece> oneForAll(List<Piece> found, List<Unit> units, Predicate<Unit> mayTake) {
        List<Step> before = List.copyOf(steps);
        long lost =
                before.stream().mapToLong(step -> step.unit.lostMilliMicros()).sum();
        Unit last = before.get(before.size() - 1).unit;
        List<Unit> cheaper = units.stream()
                .filter(unit -> unit.isWhole() && unit.lostMilliMicros() < lost && !unit.isSparedBefore(last))
                .sorted(Comparator.comparingLong(Unit::lostMilliMicros).thenComparing(Unit.PREFERENCE))
                .toList();
        goTo(0);
        steps.clear();
        int tries = 0;
        for (Unit unit : cheaper) {
            if (tries < MOST_ALONE && future.maySearch() && mayTake.test(unit)) {
                tries++;
                steps.add(new Step(unit));
                goTo(1);
                List<Piece> place = look();
                if (place != null) {
                    return place;
                }
                goTo(0);
                steps.clear();
            }
        }
        steps.addAll(before);
        goTo(before.size());
        return found;
    }

    /** Lets exactly the first so many be gone. */
    private void goTo(int many) {
        while (gone < many) {
            steps.get(gone++).leave();
        }
        while (gone > many) {
            steps.get(--gone).comeBack();
        }
    }

    /** A unit that may be gone. */
    private final class Step {
        final Unit unit;
        private final List<Future.Left> left = new ArrayList<>();

        Step(Unit unit) {
            this.unit = unit;
        }

        void leave() {
            unit.members().forEach(member -> left.add(future.letGo(unit.job(), member)));
            if (unit.isWhole()) {
                future.countRun(unit.job(), -1);
            }
        }

        void comeBack() {
            for (int i = left.size() - 1; i >= 0; i--) {
                future.takeBack(left.get(i));
            }
            left.clear();
            if (unit.isWhole()) {
                future.countRun(unit.job(), 1);
            }
        }

        boolean isOn(BitSet nodes) {
            return left.stream()
                    .anyMatch(each ->
                            each.given() != null && nodes.get(each.given().position()));
        }
    }
}
