package dev.tutti.allocator.reason;

import dev.tutti.allocator.fit.Resource;
import dev.tutti.allocator.quota.LimitCheck;
import dev.tutti.model.life.Reason;
import dev.tutti.model.life.ReasonCode;

/** That a limit of what runs keeps a job from starting: which one, whose, how much of it is held and how much is needed. */
public final class LimitReasons {

    private LimitReasons() {}

    /** @param isForever whether it would keep the job from starting if nothing else ran */
    public static Reason of(LimitCheck.Met met, boolean isForever) {
        return new Reason(
                isForever ? ReasonCode.EXCEEDS_LIMIT : met.code(),
                met.resource().field,
                met.wanted(),
                met.left(),
                switch (met.resource()) {
                    case JOBS -> jobs(met, isForever);
                    case GPUS -> gpus(met, isForever);
                    case NODES -> nodes(met, isForever);
                });
    }

    private static String jobs(LimitCheck.Met met, boolean isForever) {
        boolean isOfUser = met.code() == ReasonCode.USER_LIMIT;
        String who = (isOfUser ? "Each user" : "Queue \"" + met.queue() + "\"") + " may have " + met.limit()
                + (met.limit() == 1 ? " running job" : " running jobs")
                + (isOfUser ? " in queue \"" + met.queue() + "\"" : "");
        return isForever
                ? who + "; it can start once that limit is raised."
                : who + ", and " + (isOfUser ? "this one has " : "has ") + met.held()
                        + "; it can start when one of them has ended.";
    }

    private static String gpus(LimitCheck.Met met, boolean isForever) {
        String who =
                "Each user may hold " + Amounts.of(Resource.GPUS, met.limit()) + " in queue \"" + met.queue() + "\"";
        String needs = "it needs " + Amounts.of(Resource.GPUS, met.wanted());
        return isForever
                ? who + ", and " + needs + "; it can start once that limit is raised, or with fewer."
                : who + ", and this one holds " + Amounts.of(Resource.GPUS, met.held()) + "; " + needs
                        + ", and can start when enough of that has ended.";
    }

    private static String nodes(LimitCheck.Met met, boolean isForever) {
        String who = "Queue \"" + met.queue() + "\" may hold " + Amounts.of(Resource.WHOLE_NODES, met.limit()) + " of "
                + met.flavor();
        return isForever
                ? who + ", and it needs " + met.wanted() + "; it can start once that limit is raised, or with fewer."
                : who + ", and holds " + met.held() + "; it needs " + met.wanted()
                        + ", and can start when enough of them are given back.";
    }
}
