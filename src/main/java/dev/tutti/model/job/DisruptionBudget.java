package dev.tutti.model.job;

import dev.tutti.model.Check;

/**
 * How often a job can stand to be a victim: so many evictions of the whole job in any stretch of so long a time. The word is
 * that of Kubernetes' PodDisruptionBudget, which bounds pods at one moment; a gang stops whole, so its budget is one of time.
 *
 * @param evictions 1 to 100
 * @param perSeconds 60 to 86400, a day: a longer one would keep from a queue for good what it lent
 */
public record DisruptionBudget(int evictions, int perSeconds) {

    private static final int MOST_EVICTIONS = 100;
    private static final int LEAST_SECONDS = 60;
    private static final int MOST_SECONDS = 86_400;

    public DisruptionBudget {
        new Check()
                .range(evictions, 1, MOST_EVICTIONS, "preemption.disruptionBudget.evictions")
                .range(perSeconds, LEAST_SECONDS, MOST_SECONDS, "preemption.disruptionBudget.perSeconds")
                .orThrow();
    }
}
