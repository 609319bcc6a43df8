package dev.tutti.control.read;

import java.util.List;

/**
 * What a job has on the nodes of one flavor in one domain.
 *
 * @param domains name of the domain by level, widest first, as {@code level=domain}
 * @param nodes how many nodes
 * @param pods how many of its pods
 * @param gpuMilli milli-GPU of those
 */
public record PlaceView(String cluster, String flavor, List<String> domains, int nodes, int pods, long gpuMilli) {

    /** So many places are shown of one job: those with the most pods. */
    public static final int SHOWN = 50;

    public PlaceView {
        domains = List.copyOf(domains);
    }
}
