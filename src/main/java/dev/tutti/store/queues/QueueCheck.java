package dev.tutti.store.queues;

import dev.tutti.control.QueueBook.Changed;
import dev.tutti.model.Names;
import dev.tutti.model.queue.QuotaKey;
import dev.tutti.model.queue.QuotaResource;
import dev.tutti.model.queue.Quotas;
import java.util.Arrays;
import java.util.Optional;

/** What a queue may be called and be given, whatever else there is. */
final class QueueCheck {

    private static final int DEPTH = 8;
    private static final int FLAVORS = 256;
    private static final int FLAVOR_LENGTH = 253;

    private QueueCheck() {}

    static Optional<Changed> wrong(String path, Quotas quotas) {
        return pathIsWrong(path).or(() -> quotaIsWrong(quotas));
    }

    private static Optional<Changed> pathIsWrong(String path) {
        if (Names.isNumber(path)) {
            return refused("path", "is a number, and would be read as an id; give a name with a letter");
        }
        String[] parts = path.split("/", -1);
        boolean labels = Arrays.stream(parts).allMatch(Names::isDnsLabel);
        return parts.length <= DEPTH && labels
                ? Optional.empty()
                : refused("path", "give 1 to " + DEPTH + " DNS labels joined by slashes, such as research/llm");
    }

    /** Amounts are right by their type; here is what they are for. */
    static Optional<Changed> quotaIsWrong(Quotas quotas) {
        if (quotas.byKey().size() > FLAVORS * QuotaResource.values().length) {
            return refused("nominalMilli", "names more than " + FLAVORS + " flavors");
        }
        return quotas.byKey().keySet().stream()
                .map(QuotaKey::flavor)
                .filter(flavor -> !Names.isFreeText(flavor, FLAVOR_LENGTH))
                .findFirst()
                .flatMap(flavor -> refused("nominalMilli", "names a flavor that is not 1 to 253 characters"));
    }

    private static Optional<Changed> refused(String field, String why) {
        return Optional.of(new Changed.Refused(field, why));
    }
}
