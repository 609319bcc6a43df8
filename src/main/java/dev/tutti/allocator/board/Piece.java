package dev.tutti.allocator.board;

/**
 * What one pod holds of a node, in positions of a {@link Layout}.
 *
 * @param position the node
 * @param cpuMilli CPU in milli-cores
 * @param memoryMib memory in MiB
 * @param pods 1, or 0 where not even the slot is meant
 * @param devices its devices
 * @param milli milli-GPU of each of them
 * @param units memory units of each of them that its MIG instance has, as a mask; 0 for a share or a whole GPU
 * @param nics the group of each of its RDMA NICs
 */
public record Piece(
        int position, long cpuMilli, long memoryMib, int pods, int[] devices, int[] milli, int[] units, int[] nics) {

    /** Milli-GPU of all its devices. */
    public long gpuMilli() {
        long sum = 0;
        for (int each : milli) {
            sum += each;
        }
        return sum;
    }
}
