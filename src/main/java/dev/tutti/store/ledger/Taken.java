package dev.tutti.store.ledger;

import dev.tutti.allocator.Plan.Placement;
import dev.tutti.control.Actor;
import dev.tutti.control.PlanId;
import dev.tutti.model.JobId;
import dev.tutti.model.life.JobState;
import dev.tutti.store.stream.Journal;
import java.util.Map;

/** A placement whose job row was still the one it was decided on, with the attempt it opens. */
record Taken(Placement placement, int attempt, long queue, String lane) {

    JobId job() {
        return placement.job();
    }

    int members() {
        return placement.members().size();
    }

    long gpuMilli() {
        return placement.members().stream()
                .mapToLong(member -> (long) member.devices().size() * member.milliPerDevice())
                .sum();
    }

    boolean hasNics() {
        return placement.members().stream().anyMatch(member -> !member.nics().isEmpty());
    }

    void tell(Journal journal, PlanId plan, Actor.Leader leader) {
        String job = job().toString();
        if (placement.grows()) {
            Map<String, Object> joined = Map.of(
                    "joined",
                    placement.members().stream().map(member -> member.rank()).toList(),
                    "attempt",
                    attempt,
                    "version",
                    placement.jobVersion() + 1);
            journal.event("job.members", job, joined);
            journal.audit(leader, "job.members", job, Map.of("version", placement.jobVersion()), joined);
            return;
        }
        Map<String, Object> facts = Map.of(
                "from",
                JobState.QUEUED,
                "to",
                JobState.ALLOCATED,
                "attempt",
                attempt,
                "version",
                placement.jobVersion() + 1,
                "members",
                members(),
                "gpuMilli",
                gpuMilli());
        journal.event("job.state", job, facts);
        journal.audit(
                leader,
                "job.place",
                job,
                Map.of("state", JobState.QUEUED, "version", placement.jobVersion()),
                Map.of(
                        "state",
                        JobState.ALLOCATED,
                        "attempt",
                        attempt,
                        "plan",
                        plan.value(),
                        "nodes",
                        placement.members().stream()
                                .map(member -> member.node().value())
                                .distinct()
                                .toList()));
    }
}
