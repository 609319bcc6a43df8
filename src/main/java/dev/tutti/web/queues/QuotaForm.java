package dev.tutti.web.queues;

import dev.tutti.model.Limits;
import dev.tutti.model.queue.Quota;
import dev.tutti.model.queue.QuotaKey;
import dev.tutti.model.queue.QuotaResource;
import dev.tutti.model.queue.Quotas;
import dev.tutti.web.input.Nearest;
import dev.tutti.web.input.Texts;
import dev.tutti.web.input.Violations;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A queue's quotas of one resource as they go over the wire: for each of the three amounts an object with a number for each
 * flavor. Those of GPUs stand in the queue itself, those of CPU and memory each in an object of their own.
 */
record QuotaForm(
        QuotaResource resource,
        Map<String, Long> nominal,
        Map<String, Long> borrowingLimit,
        Map<String, Long> lendingLimit) {

    private static final int MOST_FLAVORS = 256;

    static QuotaForm of(
            QuotaResource resource,
            @Nullable Map<String, Long> nominal,
            @Nullable Map<String, Long> borrowingLimit,
            @Nullable Map<String, Long> lendingLimit) {
        return new QuotaForm(resource, orEmpty(nominal), orEmpty(borrowingLimit), orEmpty(lendingLimit));
    }

    static QuotaForm of(QuotaResource resource, Quotas quotas) {
        return new QuotaForm(
                resource,
                quotas.amounts(resource, Quota::nominal),
                quotas.amounts(resource, Quota::borrowingLimit),
                quotas.amounts(resource, Quota::lendingLimit));
    }

    /** The name of an amount in the object it stands in, such as {@code nominalMilli}. */
    static String name(QuotaResource resource, String amount) {
        return amount + (resource == QuotaResource.MEMORY_MIB ? "Mib" : "Milli");
    }

    /** The object the amounts stand in; null for the queue itself. */
    static @Nullable String within(QuotaResource resource) {
        return switch (resource) {
            case GPU_MILLI -> null;
            case CPU_MILLI -> "cpu";
            case MEMORY_MIB -> "memory";
        };
    }

    private String field(String amount) {
        String object = within(resource);
        return (object == null ? "" : object + ".") + name(resource, amount);
    }

    /** What a JSON Merge Patch makes of this. A flavor that loses its nominal quota loses its limits too. */
    QuotaForm merge(PatchOf patch, Violations violations) {
        Map<String, Long> nominalAfter = merge("nominal", nominal, patch, violations);
        Map<String, Long> borrowingAfter = merge("borrowingLimit", borrowingLimit, patch, violations);
        Map<String, Long> lendingAfter = merge("lendingLimit", lendingLimit, patch, violations);
        for (String flavor : nominal.keySet()) {
            if (!nominalAfter.containsKey(flavor)) {
                forget(borrowingAfter, flavor, patch.of(name(resource, "borrowingLimit")));
                forget(lendingAfter, flavor, patch.of(name(resource, "lendingLimit")));
            }
        }
        return new QuotaForm(resource, nominalAfter, borrowingAfter, lendingAfter);
    }

    /** What a patch says of the field of this name; null when it does not speak of it. */
    interface PatchOf {
        @Nullable
        JsonNode of(String name);
    }

    private static void forget(Map<String, Long> limits, String flavor, @Nullable JsonNode patch) {
        if (patch == null || !patch.has(flavor)) {
            limits.remove(flavor);
        }
    }

    /** Notes what is wrong: unknown flavors, amounts out of range, limits without a quota. */
    void check(Collection<String> flavors, Violations violations) {
        check("nominal", nominal, flavors, violations);
        check("borrowingLimit", borrowingLimit, flavors, violations);
        check("lendingLimit", lendingLimit, flavors, violations);
    }

    private void check(String amount, Map<String, Long> amounts, Collection<String> flavors, Violations violations) {
        String field = field(amount);
        if (amounts.size() > MOST_FLAVORS) {
            violations.add(field, "names more than " + MOST_FLAVORS + " flavors; give the others to other queues");
            return;
        }
        amounts.forEach((flavor, value) -> {
            if (!flavors.contains(flavor)) {
                violations.add(field + "." + flavor, Nearest.hint(flavor, flavors));
            } else if (value < 0 || value > Limits.QUOTA_MILLI) {
                violations.add(
                        field + "." + flavor, "is " + value + "; give a whole number from 0 to " + Limits.QUOTA_MILLI);
            } else if (!nominal.containsKey(flavor)) {
                violations.add(
                        field + "." + flavor,
                        "limits a quota that there is not; give " + field("nominal") + "." + flavor + " too");
            }
        });
    }

    /** Adds the quotas; to be asked once {@link #check} found nothing. */
    void addTo(Map<QuotaKey, Quota> quotas) {
        nominal.forEach((flavor, amount) -> quotas.put(
                new QuotaKey(flavor, resource),
                new Quota(amount, borrowingLimit.get(flavor), lendingLimit.get(flavor))));
    }

    private Map<String, Long> merge(String amount, Map<String, Long> before, PatchOf patches, Violations violations) {
        JsonNode patch = patches.of(name(resource, amount));
        if (patch == null) {
            return new TreeMap<>(before);
        }
        Map<String, Long> after = new TreeMap<>(patch.isNull() ? Map.of() : before);
        if (!patch.isNull() && !patch.isObject()) {
            violations.add(
                    field(amount), "is " + Texts.shown(patch) + "; give an object with a number for each flavor");
        }
        for (Map.Entry<String, JsonNode> change : patch.properties()) {
            JsonNode value = change.getValue();
            if (value.isNull()) {
                after.remove(change.getKey());
            } else if (value.isIntegralNumber() && value.canConvertToLong()) {
                after.put(change.getKey(), value.longValue());
            } else {
                violations.add(
                        field(amount) + "." + change.getKey(),
                        "is " + Texts.shown(value) + "; give a whole number, or null for no limit");
            }
        }
        return after;
    }

    private static Map<String, Long> orEmpty(@Nullable Map<String, Long> amounts) {
        return amounts == null ? Map.of() : amounts;
    }
}
