package dev.tutti.control.loop;

import dev.tutti.control.BindOutbox.Settlement;
import dev.tutti.control.BindTask;
import dev.tutti.control.ClusterGateway;
import dev.tutti.control.ClusterGateway.Outcome;
import dev.tutti.model.fleet.PodSighting;
import dev.tutti.model.life.EndCause;
import dev.tutti.model.life.MemberFact;
import dev.tutti.model.life.MemberPhase;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Carries out one task against the cluster. Every step may be repeated; what is not known is read back, never guessed
 * (house rules R4 and R5).
 *
 * <p>A pod is made only while no bind of this member can ever have worked, so one member never has two pods that ran.
 */
final class Courier {

    private static final long LONGEST_WAIT_SECONDS = 15;
    private static final Duration REFUSED = Duration.ofSeconds(10);
    private static final Duration SOON = Duration.ofSeconds(1);

    private final ClusterGateway gateway;
    private final SightingInbox inbox;
    private final CallGuard guard;
    private final long term;

    Courier(ClusterGateway gateway, SightingInbox inbox, CallGuard guard, long term) {
        this.gateway = gateway;
        this.inbox = inbox;
        this.guard = guard;
        this.term = term;
    }

    /** What became of a task: what is now known about the member, if anything, and how the task is settled. */
    record Result(@Nullable MemberFact fact, Settlement settlement) {

        /** The same, to be tried again because the fact could not be written. */
        Settlement again() {
            return new Settlement(
                    settlement.allocation(), settlement.generation(), false, settlement.neverSent(), SOON);
        }
    }

    Result carryOut(BindTask task) {
        Trip trip = new Trip(task);
        return task.wish() == BindTask.Wish.BIND ? trip.bind() : trip.delete();
    }

    /** One task on its way. */
    private final class Trip {
        private final BindTask task;
        private boolean mayHaveBound;

        Trip(BindTask task) {
            this.task = task;
            this.mayHaveBound = task.mayHaveBound();
        }

        Result bind() {
            Outcome seen = mayHaveBound || task.tries() > 0 ? read() : new Outcome.Absent();
            if (seen instanceof Outcome.Absent) {
                if (mayHaveBound) {
                    // It may have run and be gone: making another could put two on one device (house rule R1).
                    return done(MemberPhase.LOST, task.podUid(), EndCause.NODE_LOST);
                }
                seen = call(() -> gateway.create(task.order()));
            }
            PodSighting pod = podOf(seen);
            return pod == null ? retry(seen) : bindWhatIsThere(pod);
        }

        private Result bindWhatIsThere(PodSighting pod) {
            if (!isOurs(pod)) {
                return removeStranger(pod);
            }
            if (pod.node() != null) {
                return pod.node().equals(task.order().node())
                        ? done(MemberPhase.BOUND, pod.uid(), null)
                        : removeStranger(pod);
            }
            if (pod.terminating()) {
                return retryIn(SOON);
            }
            return send(pod);
        }

        private Result send(PodSighting pod) {
            boolean before = mayHaveBound;
            mayHaveBound = true;
            Outcome outcome = call(() -> gateway.bind(pod, task.order(), term));
            if (outcome instanceof Outcome.Done) {
                return done(MemberPhase.BOUND, pod.uid(), null);
            }
            if (!(outcome instanceof Outcome.Unknown)) {
                // A clear answer: this bind did nothing. Only silence leaves it open.
                mayHaveBound = before;
            }
            return isNews(outcome) ? lookAgain(outcome) : retry(outcome);
        }

        private Result lookAgain(Outcome outcome) {
            PodSighting now = podOf(read());
            return now != null && isOurs(now) && task.order().node().equals(now.node())
                    ? done(MemberPhase.BOUND, now.uid(), null)
                    : retry(outcome);
        }

        Result delete() {
            Outcome seen = read();
            if (seen instanceof Outcome.Absent) {
                return ended();
            }
            PodSighting pod = podOf(seen);
            if (pod == null) {
                return retry(seen);
            }
            if (!isOurs(pod)) {
                return removeStranger(pod);
            }
            Outcome outcome = call(() -> gateway.delete(pod.name(), pod.uid()));
            if (outcome instanceof Outcome.Done) {
                return ending(pod);
            }
            return outcome instanceof Outcome.RemovedUnbound ? ended() : retry(outcome);
        }

        /** It ends in its own time. That it was bound is written now, so that it is missed if its end is never told. */
        private Result ending(PodSighting pod) {
            return pod.node() == null ? retryIn(SOON) : done(MemberPhase.BOUND, pod.uid(), null);
        }

        /** There is no pod and there will be none: gone if it can never have run, else in quarantine. */
        private Result ended() {
            return done(mayHaveBound ? MemberPhase.LOST : MemberPhase.GONE, task.podUid(), EndCause.NODE_LOST);
        }

        private Result removeStranger(PodSighting pod) {
            return retry(
                    pod.terminating() ? new Outcome.Conflict("") : call(() -> gateway.delete(pod.name(), pod.uid())));
        }

        private boolean isOurs(PodSighting pod) {
            return pod.name().equals(task.order().name())
                    && task.allocation().equals(pod.allocation())
                    && (task.podUid() == null || task.podUid().equals(pod.uid()));
        }

        private Outcome read() {
            return call(() -> gateway.read(task.order().name()));
        }

        private Result done(MemberPhase phase, @Nullable String uid, @Nullable EndCause cause) {
            return settled(new MemberFact(task.allocation(), phase, uid, cause), true, Duration.ZERO);
        }

        private Result retry(Outcome outcome) {
            if (outcome instanceof Outcome.Busy busy) {
                return retryIn(busy.retryAfter());
            }
            if (outcome instanceof Outcome.Refused) {
                return retryIn(REFUSED);
            }
            return retryIn(
                    outcome instanceof Outcome.Unknown
                            ? Duration.ofSeconds(Math.min(LONGEST_WAIT_SECONDS, 1L << Math.min(task.tries(), 4)))
                            : SOON);
        }

        private Result retryIn(Duration wait) {
            return settled(null, false, wait);
        }

        private Result settled(@Nullable MemberFact fact, boolean done, Duration wait) {
            return new Result(fact, new Settlement(task.allocation(), task.generation(), done, !mayHaveBound, wait));
        }
    }

    private Outcome call(Supplier<Outcome> call) {
        if (!guard.mayCall()) {
            return new Outcome.Conflict("not called: lease, claim or cluster is over");
        }
        Outcome outcome = call.get();
        guard.answered(!(outcome instanceof Outcome.Unknown));
        PodSighting pod = podOf(outcome);
        if (pod != null) {
            inbox.pod(pod);
        }
        return outcome;
    }

    private static boolean isNews(Outcome outcome) {
        return outcome instanceof Outcome.Unknown || outcome instanceof Outcome.Conflict;
    }

    private static @Nullable PodSighting podOf(Outcome outcome) {
        if (outcome instanceof Outcome.Done done) {
            return done.pod();
        }
        return outcome instanceof Outcome.Exists exists ? exists.pod() : null;
    }
}
