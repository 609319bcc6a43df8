package dev.tutti.simulator.queues;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class QueueWorkloadTest {

    @Test
    void theSameSeedMakesTheSame() {
        assertThat(QueueWorkload.random(1, 100, 80)).isEqualTo(QueueWorkload.random(1, 100, 80));
        assertThat(QueueWorkload.random(1, 100, 80)).isNotEqualTo(QueueWorkload.random(2, 100, 80));
    }

    @Test
    void fiftyQueuesStandInThreeLevelsAndTheLeavesWerePromisedAll() {
        for (int seed = 0; seed < 50; seed++) {
            List<QueueNode> queues = QueueWorkload.random(seed, 1, 1_000).queues();
            Set<Integer> above = new HashSet<>();
            queues.forEach(queue -> above.add(queue.parent()));
            int leaves = 0;
            int promised = 0;
            for (int q = 0; q < queues.size(); q++) {
                if (!above.contains(q)) {
                    int middle = queues.get(q).parent();
                    int top = queues.get(middle).parent();
                    assertThat(queues.get(top).parent()).isEqualTo(-1);
                    leaves++;
                    promised += queues.get(q).gpus();
                } else {
                    int number = q;
                    assertThat(queues.get(q).gpus())
                            .isEqualTo(queues.stream()
                                    .filter(queue -> queue.parent() == number)
                                    .mapToInt(QueueNode::gpus)
                                    .sum());
                }
            }
            assertThat(queues).hasSize(50);
            assertThat(leaves).isEqualTo(30);
            assertThat(promised).isEqualTo(1_000);
        }
    }

    @Test
    void everyJobFitsIntoItsQueueAndAllAskForAFifthMoreThanThereIs() {
        for (int seed = 0; seed < 20; seed++) {
            QueueWorkload workload = QueueWorkload.random(seed, 400, 200);
            double asked = 0;
            long last = 0;
            for (QueuedJob job : workload.jobs()) {
                assertThat(job.gpus()).isLessThanOrEqualTo(IdealDivision.most(workload.queues(), job.queue()));
                assertThat(job.atSeconds()).isGreaterThanOrEqualTo(last);
                last = job.atSeconds();
                asked += (double) job.gpus() * job.seconds();
            }
            // The last burst lasts an hour more.
            assertThat(asked / 200 / 1.2).isBetween(0.75 * (last - 3_600), 1.0 * last + 3_600);
        }
    }

    @Test
    void onASmallFleetAllOfThemEnd() {
        QueueWorkload workload = QueueWorkload.random(3, 60, 40);
        for (RunRules rules : List.of(
                RunRules.queues(true, true),
                RunRules.queues(true, true).inStrictOrder(),
                RunRules.queues(true, true).withVictims(RunRules.Victims.GREEDY),
                RunRules.queues(true, true).withVictims(RunRules.Victims.GREEDY_SPARING),
                RunRules.fifo(true))) {
            QueueTrial trial = QueueTrial.play(workload, rules, done -> {});

            assertThat(trial.outcome().stories()).hasSize(60).noneMatch(JobStory::isRunning);
            assertThat(trial.shares().seconds()).isPositive();
        }
    }
}
