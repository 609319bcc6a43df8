package dev.tutti.boot.cli.experiment;

import dev.tutti.allocator.quota.HalfLife;
import dev.tutti.simulator.queues.QueueTrial;
import dev.tutti.simulator.queues.QueueWorkload;
import dev.tutti.simulator.queues.RunRules;
import java.util.function.IntConsumer;

/** What plays the jobs of an experiment with queues. */
enum QueuesContestant {
    TUTTI("Tutti", RunRules.queues(true, true)),
    STRICT("Tutti, strict queues", RunRules.queues(true, true).inStrictOrder()),
    GREEDY("Tutti, greedy victims", RunRules.queues(true, true).withVictims(RunRules.Victims.GREEDY)),
    WITHOUT("Tutti, no preemption", RunRules.queues(true, false)),
    FIFO("FIFO, who fits passes", RunRules.fifo(false)),
    STRICT_FIFO("FIFO, strict", RunRules.fifo(true));

    private final String title;
    private final RunRules rules;

    QueuesContestant(String title, RunRules rules) {
        this.title = title;
        this.rules = rules;
    }

    String title() {
        return title;
    }

    /** Plays it; in FIFO there is one queue, no quota, no priority, and so no past that counts. */
    QueueTrial play(QueueWorkload workload, HalfLife memory, IntConsumer afterEnd) {
        QueueWorkload asked = rules.oneQueue() ? workload.with(job -> job.withPriority(0)) : workload;
        return QueueTrial.play(asked, rules.oneQueue() ? rules : rules.remembering(memory), afterEnd);
    }
}
