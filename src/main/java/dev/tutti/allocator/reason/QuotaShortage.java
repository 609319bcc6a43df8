package dev.tutti.allocator.reason;

import dev.tutti.allocator.fit.Request;
import dev.tutti.allocator.fit.Resource;
import dev.tutti.allocator.fit.Room;
import dev.tutti.model.job.Lane;
import dev.tutti.model.life.Reason;
import dev.tutti.model.life.ReasonCode;
import org.jspecify.annotations.Nullable;

/**
 * Finds of which flavor and resource a job's queue has too little quota: the first resource that lacks under some choice of
 * flavors, and the choice that lacks least of it.
 */
public final class QuotaShortage {

    private QuotaShortage() {}

    /**
     * Why quota keeps a job from starting.
     *
     * @param room what its queue has, of which some resource is too little under every choice of flavors
     * @param code {@code EXCEEDS_LIMIT} when the room is all that the queue could ever have
     */
    public static Reason of(Lane lane, Request request, Room room, ReasonCode code) {
        Reason found = find(lane, request, room, code);
        if (found != null) {
            return found;
        }
        throw new IllegalStateException(
                "no quota is too little for a job of lane " + lane + " with " + request.leastPods() + " pods");
    }

    /** The same; null when quota is enough under every choice of flavors. */
    public static @Nullable Reason find(Lane lane, Request request, Room room, ReasonCode code) {
        for (Resource resource : Room.RESOURCES) {
            Reason least = least(lane, request, room, resource, code);
            if (least != null) {
                return least;
            }
        }
        return null;
    }

    private static @Nullable Reason least(Lane lane, Request request, Room room, Resource resource, ReasonCode code) {
        Reason least = null;
        for (int[] choice : request.allChoices()) {
            for (int flavor : choice) {
                long need = request.leastOf(resource, flavor, choice);
                long there = room.of(resource, flavor);
                if (need > there && (least == null || need - there < least.wanted() - least.available())) {
                    String detail = Sentences.there(
                            sentence(lane, code) + request.flavorName(flavor),
                            Amounts.of(resource, need),
                            Amounts.of(resource, there));
                    least = new Reason(code, resource.field, need, there, detail);
                }
            }
        }
        return least;
    }

    private static String sentence(Lane lane, ReasonCode code) {
        if (lane == Lane.GREEN) {
            return code == ReasonCode.EXCEEDS_LIMIT
                    ? "Green jobs hold no more than their queue was promised, and it is larger than that, on "
                    : "Green jobs hold no more than their queue was promised, and less of that is left, on ";
        }
        return code == ReasonCode.EXCEEDS_LIMIT
                ? "It is larger than all quota that its queue could ever have, on "
                : "Its queue, or one above it, has less quota left than it needs, on ";
    }
}
