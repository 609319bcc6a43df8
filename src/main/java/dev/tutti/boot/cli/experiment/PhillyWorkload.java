package dev.tutti.boot.cli.experiment;

import dev.tutti.boot.cli.trace.PhillyTrace;
import dev.tutti.simulator.queues.QueueNode;
import dev.tutti.simulator.queues.QueuedJob;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The trace as queues and jobs: a queue for each virtual cluster in which somebody submits, with the GPUs of its nodes.
 *
 * @param queues by name
 * @param jobs in order of arrival, of those that come at once the smallest first
 * @param leftOut how many jobs are of no known virtual cluster, ask for no GPUs, or do not fit on its nodes
 */
record PhillyWorkload(List<QueueNode> queues, List<QueuedJob> jobs, int leftOut) {

    private static final int NODE_GPUS = 8;

    PhillyWorkload {
        queues = List.copyOf(queues);
        jobs = List.copyOf(jobs);
    }

    /**
     * Makes it.
     *
     * @param nodes of each virtual cluster
     * @param fraction what of them is there; at least one node of each
     */
    static PhillyWorkload of(List<PhillyTrace.Job> trace, Map<String, Integer> nodes, double fraction) {
        Set<String> submitting = new HashSet<>();
        trace.forEach(job -> submitting.add(job.cluster()));
        List<QueueNode> queues = nodes.entrySet().stream()
                .filter(cluster -> submitting.contains(cluster.getKey()))
                .map(cluster -> new QueueNode(cluster.getKey(), -1, gpus(cluster.getValue(), fraction), 1))
                .sorted(Comparator.comparing(QueueNode::name))
                .toList();
        List<String> names = queues.stream().map(QueueNode::name).toList();
        List<QueuedJob> jobs = new ArrayList<>();
        for (PhillyTrace.Job job : trace) {
            int queue = names.indexOf(job.cluster());
            if (queue >= 0 && job.gpus() > 0 && job.gpus() <= queues.get(queue).gpus()) {
                jobs.add(new QueuedJob(queue, job.atSeconds(), job.gpus(), job.seconds()));
            }
        }
        if (jobs.isEmpty()) {
            throw new IllegalArgumentException(
                    "no job is of a virtual cluster that has the GPUs for it; give the nodes of"
                            + " the clusters that the jobs name, or a larger --fraction");
        }
        jobs.sort(Comparator.comparingLong(QueuedJob::atSeconds).thenComparingInt(QueuedJob::gpus));
        return new PhillyWorkload(queues, jobs, trace.size() - jobs.size());
    }

    private static int gpus(int nodes, double fraction) {
        return NODE_GPUS * (int) Math.max(1, Math.rint(nodes * fraction));
    }

    /** The same, submitted with priorities: the fewer GPUs a job asks for, the higher. */
    PhillyWorkload smallFirst() {
        return new PhillyWorkload(
                queues, jobs.stream().map(job -> job.withPriority(-job.gpus())).toList(), leftOut);
    }

    int gpus() {
        return queues.stream().mapToInt(QueueNode::gpus).sum();
    }
}
