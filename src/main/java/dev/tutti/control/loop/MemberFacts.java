package dev.tutti.control.loop;

import dev.tutti.model.AllocationId;
import dev.tutti.model.PodName;
import dev.tutti.model.fleet.PodSighting;
import dev.tutti.model.life.EndCause;
import dev.tutti.model.life.JobRun;
import dev.tutti.model.life.Member;
import dev.tutti.model.life.MemberFact;
import dev.tutti.model.life.MemberPhase;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a sighting of a pod proves about a member (house rule R1). A member's end is proved only by the report that all
 * containers terminated or that the node refused the pod; a pod that is gone without it proves only that it is LOST.
 *
 * <p>A pod that was never bound proves nothing here, not even by being gone: another of its name may be on its way, and
 * only who carries out the outbox knows.
 */
final class MemberFacts {

    private MemberFacts() {}

    /** The member of {@code run} whose pod this is; empty when it is of another attempt, or not really ours. */
    static Optional<Member> memberOf(JobRun run, PodSighting pod) {
        return PodName.parse(pod.name())
                .filter(name -> name.job().equals(run.job()) && name.attempt() == run.attempt())
                .flatMap(name -> run.members().stream()
                        .filter(member -> member.rank() == name.rank())
                        .findFirst())
                .filter(member -> member.podUid() == null
                        ? member.id().equals(pod.allocation())
                        : member.podUid().equals(pod.uid()));
    }

    /** What {@code pod} proves about {@code member}; null when nothing. */
    static @Nullable MemberFact of(Member member, PodSighting pod) {
        if (pod.node() == null) {
            return null;
        }
        if (isDisowned(member, pod)) {
            return fact(member.id(), MemberPhase.LOST, pod, EndCause.NODE_LOST);
        }
        if (pod.phase() == PodSighting.Phase.REJECTED) {
            return fact(member.id(), MemberPhase.FAILED, pod, EndCause.REJECTED_BY_NODE);
        }
        if (pod.exitCode() != null) {
            return pod.exitCode() == 0
                    ? fact(member.id(), MemberPhase.SUCCEEDED, pod, EndCause.COMPLETED)
                    : fact(member.id(), MemberPhase.FAILED, pod, EndCause.EXIT_CODE);
        }
        if (pod.deleted()) {
            return fact(member.id(), MemberPhase.LOST, pod, EndCause.NODE_LOST);
        }
        return fact(
                member.id(),
                pod.phase() == PodSighting.Phase.RUNNING ? MemberPhase.RUNNING : MemberPhase.BOUND,
                pod,
                null);
    }

    /** A refusal of a pod that had run says nothing of its containers: they may still hold the devices. */
    private static boolean isDisowned(Member member, PodSighting pod) {
        return pod.phase() == PodSighting.Phase.DISOWNED
                || (pod.phase() == PodSighting.Phase.REJECTED && member.phase() == MemberPhase.RUNNING);
    }

    private static MemberFact fact(
            AllocationId allocation, MemberPhase phase, PodSighting pod, @Nullable EndCause cause) {
        return new MemberFact(allocation, phase, pod.uid(), cause);
    }
}
