package dev.tutti.store.stream;

import dev.tutti.model.job.Lane;
import dev.tutti.model.queue.Quota;
import dev.tutti.model.queue.QuotaKey;
import dev.tutti.model.queue.QuotaResource;
import dev.tutti.model.queue.Use;
import dev.tutti.store.Json;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads what is limited and what is held of one queue, as rows gathered into JSON. */
public final class QuotaRows {

    private QuotaRows() {}

    /** @param json an array of {@code flavor, resource, nominal, borrowing, lending}; null for none */
    public static Map<QuotaKey, Quota> quotas(@Nullable String json) {
        Map<QuotaKey, Quota> quotas = new HashMap<>();
        for (QuotaRow row : json == null ? new QuotaRow[0] : Json.read(json, QuotaRow[].class)) {
            QuotaResource resource = QuotaResource.of(row.resource).orElseThrow();
            quotas.put(new QuotaKey(row.flavor, resource), new Quota(row.nominal, row.borrowing, row.lending));
        }
        return quotas;
    }

    /** @param json an array of {@code flavor, lane, gpuMilli, cpuMilli, memoryMib}; null for none */
    public static Map<QuotaKey, Use> used(@Nullable String json) {
        Map<QuotaKey, Use> used = new HashMap<>();
        for (UseRow row : json == null ? new UseRow[0] : Json.read(json, UseRow[].class)) {
            Lane lane = Lane.valueOf(row.lane.toUpperCase(Locale.ROOT));
            add(used, row.flavor, QuotaResource.GPU_MILLI, lane, row.gpuMilli);
            add(used, row.flavor, QuotaResource.CPU_MILLI, lane, row.cpuMilli);
            add(used, row.flavor, QuotaResource.MEMORY_MIB, lane, row.memoryMib);
        }
        return used;
    }

    /** @param json an object with a number by flavor */
    @SuppressWarnings("unchecked")
    public static Map<String, Integer> wholeNodes(String json) {
        return Json.read(json, Map.class);
    }

    private static void add(Map<QuotaKey, Use> used, String flavor, QuotaResource resource, Lane lane, long amount) {
        if (amount > 0) {
            used.merge(
                    new QuotaKey(flavor, resource),
                    Use.NONE.plus(lane, amount),
                    (before, more) -> before.plus(lane, amount));
        }
    }

    record QuotaRow(
            String flavor,
            String resource,
            long nominal,
            @Nullable Long borrowing,
            @Nullable Long lending) {}

    record UseRow(String flavor, String lane, long gpuMilli, long cpuMilli, long memoryMib) {}
}
