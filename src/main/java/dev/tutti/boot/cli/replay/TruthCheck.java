package dev.tutti.boot.cli.replay;

import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * Compares what three independent witnesses say is held of every device: the ledger, the cluster, the API. While jobs
 * start and end they differ for moments, so they are asked again until they agree or the time is over.
 */
final class TruthCheck {

    private static final long PATIENCE_NANOS = 30_000_000_000L;
    private static final long PAUSE_MILLIS = 50;

    private final Supplier<Map<String, Integer>> ledger;
    private final Supplier<Map<String, Integer>> cluster;
    private final Supplier<Map<String, Integer>> api;

    /** Each witness: milli-GPU held by device, devices with nothing held left out. */
    TruthCheck(
            Supplier<Map<String, Integer>> ledger,
            Supplier<Map<String, Integer>> cluster,
            Supplier<Map<String, Integer>> api) {
        this.ledger = ledger;
        this.cluster = cluster;
        this.api = api;
    }

    /** Returns the milli-GPU all three agree on; throws with the differences when they do not in time. */
    long agreedMilli() {
        long start = System.nanoTime();
        while (true) {
            Map<String, Integer> before = ledger.get();
            Map<String, Integer> inCluster = cluster.get();
            Map<String, Integer> inApi = api.get();
            if (before.equals(inCluster) && before.equals(inApi)) {
                return before.values().stream().mapToLong(Integer::longValue).sum();
            }
            if (System.nanoTime() - start > PATIENCE_NANOS) {
                throw new IllegalStateException("the truths differ: " + differences(before, inCluster, inApi));
            }
            Pauses.millis(PAUSE_MILLIS);
        }
    }

    private static Map<String, String> differences(
            Map<String, Integer> ledger, Map<String, Integer> cluster, Map<String, Integer> api) {
        Map<String, String> differences = new TreeMap<>();
        Map<String, Integer> all = new TreeMap<>(ledger);
        cluster.forEach(all::putIfAbsent);
        api.forEach(all::putIfAbsent);
        all.keySet().forEach(device -> {
            int l = ledger.getOrDefault(device, 0);
            int c = cluster.getOrDefault(device, 0);
            int a = api.getOrDefault(device, 0);
            if ((l != c || l != a) && differences.size() < 10) {
                differences.put(device, "ledger " + l + ", cluster " + c + ", API " + a);
            }
        });
        return differences;
    }
}
