package dev.tutti.store.queues;

import dev.tutti.control.QueueBook.Changed;
import dev.tutti.model.Limits;
import dev.tutti.model.Names;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;

/** What a queue may be called and be given, whatever else there is. */
final class QueueRules {

    private static final int DEPTH = 8;
    private static final int FLAVORS = 256;
    private static final int FLAVOR_LENGTH = 253;

    private QueueRules() {}

    static Optional<Changed> wrong(String path, Map<String, Long> nominalMilli) {
        return pathIsWrong(path).or(() -> quotaIsWrong(nominalMilli));
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

    static Optional<Changed> quotaIsWrong(Map<String, Long> nominalMilli) {
        if (nominalMilli.size() > FLAVORS) {
            return refused("nominalMilli", "names more than " + FLAVORS + " flavors");
        }
        return nominalMilli.entrySet().stream()
                .filter(entry -> entry.getValue() < 0
                        || entry.getValue() > Limits.QUOTA_MILLI
                        || !Names.isFreeText(entry.getKey(), FLAVOR_LENGTH))
                .findFirst()
                .flatMap(entry -> refused(
                        "nominalMilli." + entry.getKey(),
                        "is " + entry.getValue() + "; give a whole number from 0 to " + Limits.QUOTA_MILLI));
    }

    private static Optional<Changed> refused(String field, String why) {
        return Optional.of(new Changed.Refused(field, why));
    }
}
