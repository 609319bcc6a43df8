package dev.tutti.testkit.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.allocator.Plan;
import dev.tutti.allocator.QueueShares;
import dev.tutti.allocator.Snapshot;
import dev.tutti.allocator.WaitingJob;
import dev.tutti.model.queue.Quota;
import dev.tutti.model.queue.QuotaKey;
import dev.tutti.model.queue.Use;
import dev.tutti.testkit.QuotaOracle;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** What holds of every plan where queues have quotas: nobody holds more by it than the rules, told plainly, allow. */
final class QuotaChecks {

    private QuotaChecks() {}

    static void check(Snapshot now, Plan plan, Collection<WaitingJob> jobs) {
        if (plan.placements().isEmpty()) {
            return;
        }
        Snapshot after = AppliedPlan.apply(now, plan, jobs);
        Set<QuotaKey> keys = now.queues().queues().values().stream()
                .flatMap(share -> share.quotas().keySet().stream())
                .collect(Collectors.toSet());
        for (QuotaKey key : keys) {
            assertThat(oracle(after, key).brokenSince(oracle(now, key)))
                    .as("quota of " + key)
                    .isEmpty();
        }
    }

    private static QuotaOracle oracle(Snapshot at, QuotaKey key) {
        Map<String, Quota> quotas = new LinkedHashMap<>();
        Map<String, Use> use = new LinkedHashMap<>();
        Collection<QueueShares.Share> shares = at.queues().queues().values();
        List<String> paths = shares.stream().map(QueueShares.Share::path).toList();
        for (QueueShares.Share share : shares) {
            if (share.quotas().containsKey(key)) {
                quotas.put(share.path(), share.quotas().get(key));
            }
            boolean isLeaf = paths.stream().noneMatch(path -> path.startsWith(share.path() + "/"));
            if (isLeaf && share.used().containsKey(key)) {
                use.put(share.path(), share.used().get(key));
            }
        }
        return new QuotaOracle(paths, quotas, use);
    }
}
