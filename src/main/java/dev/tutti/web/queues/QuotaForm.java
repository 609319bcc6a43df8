package dev.tutti.web.queues;

import dev.tutti.model.Limits;
import dev.tutti.model.queue.Quota;
import dev.tutti.model.queue.QuotaKey;
import dev.tutti.model.queue.QuotaResource;
import dev.tutti.model.queue.Quotas;
import dev.tutti.web.input.Nearest;
import dev.tutti.web.input.Violations;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The quotas of a queue as they go over the wire: for each of the three amounts an object with a number for each flavor.
 */
record QuotaForm(Map<String, Long> nominal, Map<String, Long> borrowingLimit, Map<String, Long> lendingLimit) {

    private static final int MOST_FLAVORS = 256;
    private static final String NOMINAL = "nominalMilli";
    private static final String BORROWING = "borrowingLimitMilli";
    private static final String LENDING = "lendingLimitMilli";

    static QuotaForm of(QueueForms.QueueRequest request) {
        return new QuotaForm(
                orEmpty(request.nominalMilli()),
                orEmpty(request.borrowingLimitMilli()),
                orEmpty(request.lendingLimitMilli()));
    }

    static QuotaForm of(Quotas quotas) {
        return new QuotaForm(
                quotas.amounts(QuotaResource.GPU_MILLI, Quota::nominal),
                quotas.amounts(QuotaResource.GPU_MILLI, Quota::borrowingLimit),
                quotas.amounts(QuotaResource.GPU_MILLI, Quota::lendingLimit));
    }

    /** What a JSON Merge Patch makes of this. A flavor that loses its nominal quota loses its limits too. */
    QuotaForm merge(QueueForms.QueuePatch patch, Violations violations) {
        Map<String, Long> nominalAfter = merge(NOMINAL, nominal, patch.nominalMilli(), violations);
        Map<String, Long> borrowingAfter = merge(BORROWING, borrowingLimit, patch.borrowingLimitMilli(), violations);
        Map<String, Long> lendingAfter = merge(LENDING, lendingLimit, patch.lendingLimitMilli(), violations);
        for (String flavor : nominal.keySet()) {
            if (!nominalAfter.containsKey(flavor)) {
                forget(borrowingAfter, flavor, patch.borrowingLimitMilli());
                forget(lendingAfter, flavor, patch.lendingLimitMilli());
            }
        }
        return new QuotaForm(nominalAfter, borrowingAfter, lendingAfter);
    }

    private static void forget(Map<String, Long> limits, String flavor, @Nullable JsonNode patch) {
        if (patch == null || !patch.has(flavor)) {
            limits.remove(flavor);
        }
    }

    /** Notes what is wrong: unknown flavors, amounts out of range, limits without a quota. */
    void check(Collection<String> flavors, Violations violations) {
        check(NOMINAL, nominal, flavors, violations);
        check(BORROWING, borrowingLimit, flavors, violations);
        check(LENDING, lendingLimit, flavors, violations);
    }

    private void check(String field, Map<String, Long> amounts, Collection<String> flavors, Violations violations) {
        if (amounts.size() > MOST_FLAVORS) {
            violations.add(field, "names more than " + MOST_FLAVORS + " flavors");
            return;
        }
        amounts.forEach((flavor, milli) -> {
            if (!flavors.contains(flavor)) {
                violations.add(field + "." + flavor, Nearest.hint(flavor, flavors));
            } else if (milli < 0 || milli > Limits.QUOTA_MILLI) {
                violations.add(
                        field + "." + flavor, "is " + milli + "; give a whole number from 0 to " + Limits.QUOTA_MILLI);
            } else if (!nominal.containsKey(flavor)) {
                violations.add(
                        field + "." + flavor,
                        "limits a quota that there is not; give " + NOMINAL + "." + flavor + " too");
            }
        });
    }

    /** The quotas; to be asked for once {@link #check} found nothing. */
    Quotas quotas() {
        Map<QuotaKey, Quota> quotas = new HashMap<>();
        nominal.forEach((flavor, milli) -> quotas.put(
                QuotaKey.gpus(flavor), new Quota(milli, borrowingLimit.get(flavor), lendingLimit.get(flavor))));
        return new Quotas(quotas);
    }

    private static Map<String, Long> merge(
            String field, Map<String, Long> before, @Nullable JsonNode patch, Violations violations) {
        if (patch == null) {
            return new TreeMap<>(before);
        }
        Map<String, Long> after = new TreeMap<>(patch.isNull() ? Map.of() : before);
        if (!patch.isNull() && !patch.isObject()) {
            violations.add(field, "give an object with a number for each flavor");
        }
        for (Map.Entry<String, JsonNode> change : patch.properties()) {
            JsonNode milli = change.getValue();
            if (milli.isNull()) {
                after.remove(change.getKey());
            } else if (milli.isIntegralNumber() && milli.canConvertToLong()) {
                after.put(change.getKey(), milli.longValue());
            } else {
                violations.add(field + "." + change.getKey(), "give a whole number, or null for no limit");
            }
        }
        return after;
    }

    private static Map<String, Long> orEmpty(@Nullable Map<String, Long> amounts) {
        return amounts == null ? Map.of() : amounts;
    }
}
