package dev.tutti.allocator;

import dev.tutti.allocator.policy.Policies;
import dev.tutti.allocator.policy.Policy;
import java.util.Collection;

/**
 * The allocator: the cheapest node of the policy for each pod, the smallest domain for gangs, quota exact. Keeps nothing
 * between two decisions, so any number of threads may use one; {@link #standing()} is for the one that decides.
 *
 * <p>Reasons are told at the state after all placements of the plan, so that their numbers are the ones a reader finds.
 */
public final class GangAllocator implements Allocator {

    private final Policy policy;

    public GangAllocator() {
        this(Policies.standard());
    }

    /** @param policy ranks the nodes that hold a pod */
    public GangAllocator(Policy policy) {
        this.policy = policy;
    }

    @Override
    public Plan decide(Snapshot snapshot, Collection<WaitingJob> waiting, long nowMicros) {
        return standing().decide(snapshot, WaitingBook.of(waiting), nowMicros);
    }

    @Override
    public Trial trial(Snapshot snapshot) {
        return new Desk(snapshot, policy)::startAlone;
    }

    @Override
    public StandingAllocator standing() {
        return new Engine(policy);
    }
}
