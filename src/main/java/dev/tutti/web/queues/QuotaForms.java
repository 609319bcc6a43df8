package dev.tutti.web.queues;

import dev.tutti.model.queue.Quota;
import dev.tutti.model.queue.QuotaKey;
import dev.tutti.model.queue.QuotaResource;
import dev.tutti.model.queue.Quotas;
import dev.tutti.web.input.Violations;
import dev.tutti.web.queues.QueueForms.QueuePatch;
import dev.tutti.web.queues.QueueForms.QueueRequest;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The quotas of a queue, of all resources. */
record QuotaForms(List<QuotaForm> ofResources) {

    /** Quotas of CPU. */
    @Schema(name = "CpuQuota", description = "Quotas of CPU in thousandths of a core, by flavor of the nodes.")
    record CpuQuota(
            @Schema(example = "{\"h100-sxm\": 768000}") @Nullable
            Map<String, Long> nominalMilli,

            @Schema(example = "{\"h100-sxm\": 0}") @Nullable Map<String, Long> borrowingLimitMilli,
            @Schema(example = "{\"h100-sxm\": 0}") @Nullable Map<String, Long> lendingLimitMilli) {

        static CpuQuota of(Quotas quotas) {
            QuotaForm form = QuotaForm.of(QuotaResource.CPU_MILLI, quotas);
            return new CpuQuota(form.nominal(), form.borrowingLimit(), form.lendingLimit());
        }

        static QuotaForm form(@Nullable CpuQuota cpu) {
            return cpu == null
                    ? QuotaForm.of(QuotaResource.CPU_MILLI, null, null, null)
                    : QuotaForm.of(
                            QuotaResource.CPU_MILLI, cpu.nominalMilli, cpu.borrowingLimitMilli, cpu.lendingLimitMilli);
        }
    }

    /** Quotas of memory. */
    @Schema(name = "MemoryQuota", description = "Quotas of memory in MiB, by flavor of the nodes.")
    record MemoryQuota(
            @Schema(example = "{\"h100-sxm\": 8388608}") @Nullable
            Map<String, Long> nominalMib,

            @Schema(example = "{\"h100-sxm\": 0}") @Nullable Map<String, Long> borrowingLimitMib,
            @Schema(example = "{\"h100-sxm\": 0}") @Nullable Map<String, Long> lendingLimitMib) {

        static MemoryQuota of(Quotas quotas) {
            QuotaForm form = QuotaForm.of(QuotaResource.MEMORY_MIB, quotas);
            return new MemoryQuota(form.nominal(), form.borrowingLimit(), form.lendingLimit());
        }

        static QuotaForm form(@Nullable MemoryQuota memory) {
            return memory == null
                    ? QuotaForm.of(QuotaResource.MEMORY_MIB, null, null, null)
                    : QuotaForm.of(
                            QuotaResource.MEMORY_MIB,
                            memory.nominalMib,
                            memory.borrowingLimitMib,
                            memory.lendingLimitMib);
        }
    }

    static QuotaForms of(QueueRequest request) {
        return new QuotaForms(List.of(
                QuotaForm.of(
                        QuotaResource.GPU_MILLI,
                        request.nominalMilli(),
                        request.borrowingLimitMilli(),
                        request.lendingLimitMilli()),
                CpuQuota.form(request.cpu()),
                MemoryQuota.form(request.memory())));
    }

    static QuotaForms of(Quotas quotas) {
        return new QuotaForms(Arrays.stream(QuotaResource.values())
                .map(resource -> QuotaForm.of(resource, quotas))
                .toList());
    }

    /** What a JSON Merge Patch makes of them. */
    QuotaForms merge(QueuePatch patch, Violations violations) {
        return new QuotaForms(ofResources.stream()
                .map(form -> form.merge(patchOf(form.resource(), patch, violations), violations))
                .toList());
    }

    private static QuotaForm.PatchOf patchOf(QuotaResource resource, QueuePatch patch, Violations violations) {
        String object = QuotaForm.within(resource);
        if (object == null) {
            return patch::quota;
        }
        JsonNode within = resource == QuotaResource.CPU_MILLI ? patch.cpu() : patch.memory();
        if (within == null) {
            return name -> null;
        }
        if (within.isNull()) {
            return name -> within;
        }
        Set<String> names = Set.of(
                QuotaForm.name(resource, "nominal"),
                QuotaForm.name(resource, "borrowingLimit"),
                QuotaForm.name(resource, "lendingLimit"));
        if (!within.isObject()) {
            violations.add(
                    object,
                    "give an object with "
                            + String.join(", ", names.stream().sorted().toList()));
            return name -> null;
        }
        within.propertyNames().stream()
                .filter(name -> !names.contains(name))
                .forEach(name -> violations.add(
                        object + "." + name,
                        "is not known; give one of "
                                + String.join(", ", names.stream().sorted().toList())));
        return within::get;
    }

    void check(Collection<String> flavors, Violations violations) {
        ofResources.forEach(form -> form.check(flavors, violations));
    }

    /** The quotas; to be asked for once {@link #check} found nothing. */
    Quotas quotas() {
        Map<QuotaKey, Quota> quotas = new HashMap<>();
        ofResources.forEach(form -> form.addTo(quotas));
        return new Quotas(quotas);
    }
}
