package dev.tutti.model.life;

import dev.tutti.model.job.StartAfter;
import java.util.List;

/** Calls the members of a live attempt whose stage may begin: those that wait for nothing any more. */
final class StageCall {

    private StageCall() {}

    /** The run with every member COMMITTED whose pod is to be made now. Who was asked to leave is not called. */
    static JobRun call(JobRun run) {
        if (run.members().stream().noneMatch(StageCall::waits)) {
            return run;
        }
        return run.with(run.members().stream()
                .map(member -> waits(member) && isOver(run, member.startAfter()) ? member.call() : member)
                .toList());
    }

    /** Whether all members run, or once did, that were called. */
    static boolean allRun(JobRun run) {
        return run.staying()
                .filter(member -> member.phase() != MemberPhase.WAITING)
                .allMatch(member -> member.phase().hasStarted());
    }

    private static boolean waits(Member member) {
        return member.phase() == MemberPhase.WAITING && member.stays();
    }

    private static boolean isOver(JobRun run, List<StartAfter> startAfter) {
        return startAfter.stream()
                .allMatch(after -> run.staying()
                        .filter(member -> member.podSet().equals(after.podSet()))
                        .allMatch(member -> hasCome(member, after.when())));
    }

    private static boolean hasCome(Member member, StartAfter.When when) {
        return when == StartAfter.When.RUNNING ? member.phase().hasStarted() : member.phase() == MemberPhase.SUCCEEDED;
    }
}
