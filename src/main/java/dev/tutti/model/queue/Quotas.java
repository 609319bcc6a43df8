package dev.tutti.model.queue;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * All quotas of one queue. Of what is not named it has none.
 *
 * @param byKey each of them
 */
public record Quotas(Map<QuotaKey, Quota> byKey) {

    public static final Quotas NONE = new Quotas(Map.of());

    public Quotas {
        byKey = Map.copyOf(byKey);
    }

    /** Nominal quotas in milli-GPU by flavor, borrowing and lending without limit. */
    public static Quotas ofGpus(Map<String, Long> nominalMilli) {
        Map<QuotaKey, Quota> quotas = new HashMap<>();
        nominalMilli.forEach((flavor, milli) -> quotas.put(QuotaKey.gpus(flavor), Quota.of(milli)));
        return new Quotas(quotas);
    }

    /** One amount of each quota of a resource, by flavor; quotas without that amount are left out. */
    public SortedMap<String, Long> amounts(QuotaResource resource, Function<Quota, @Nullable Long> amount) {
        SortedMap<String, Long> amounts = new TreeMap<>();
        byKey.forEach((key, quota) -> {
            if (key.resource() == resource) {
                Optional.ofNullable(amount.apply(quota)).ifPresent(value -> amounts.put(key.flavor(), value));
            }
        });
        return amounts;
    }
}
