package dev.tutti.model.queue;

import java.util.Comparator;

/** A resource of one flavor: what a quota limits. */
public record QuotaKey(String flavor, QuotaResource resource) implements Comparable<QuotaKey> {

    private static final Comparator<QuotaKey> ORDER =
            Comparator.comparing(QuotaKey::flavor).thenComparing(QuotaKey::resource);

    /** GPUs of a flavor. */
    public static QuotaKey gpus(String flavor) {
        return new QuotaKey(flavor, QuotaResource.GPU_MILLI);
    }

    @Override
    public int compareTo(QuotaKey other) {
        return ORDER.compare(this, other);
    }
}
