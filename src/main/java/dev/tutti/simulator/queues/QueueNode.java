package dev.tutti.simulator.queues;

/**
 * A queue of an experiment, with its place in the tree.
 *
 * @param name its name
 * @param parent number of the queue above; -1 at the top
 * @param gpus its nominal quota, in whole GPUs
 * @param weight its fair-share weight, 1 and up
 */
public record QueueNode(String name, int parent, int gpus, int weight) {}
