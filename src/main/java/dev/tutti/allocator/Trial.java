package dev.tutti.allocator;

/**
 * What would start of jobs, each asked about as if it were the only one that waits. Takes nothing and says nothing of why a
 * job would wait. Not safe for use by two threads.
 */
public interface Trial {

    /** What would start of the job. */
    Answer start(WaitingJob job);

    /**
     * What starts of a job.
     *
     * @param pods its pods; 0 when no place was found for its smallest start
     * @param gpuMilli what they take, in milli-GPU
     * @param isCertain false when no place was found in the steps that one search may take, though there may be one
     */
    record Answer(int pods, long gpuMilli, boolean isCertain) {

        /** Nothing starts. */
        public static final Answer NONE = new Answer(0, 0, true);

        static Answer of(Plan.Placement placement) {
            long milli = placement.members().stream()
                    .mapToLong(pod -> (long) pod.devices().size() * pod.milliPerDevice())
                    .sum();
            return new Answer(placement.members().size(), milli, true);
        }

        public boolean starts() {
            return pods > 0;
        }
    }
}
