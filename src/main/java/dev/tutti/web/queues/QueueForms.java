package dev.tutti.web.queues;

import dev.tutti.model.Limits;
import dev.tutti.model.Names;
import dev.tutti.web.input.Nearest;
import dev.tutti.web.input.Violations;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** What is sent to make or change a queue, and its rules. */
final class QueueForms {

    private static final int MOST_FLAVORS = 256;
    private static final int MOST_LEVELS = 8;

    private QueueForms() {}

    /** A new queue. */
    @Schema(name = "QueueRequest", description = "A new queue. The queues above it are there already.")
    record QueueRequest(
            @Schema(description = "1 to 8 DNS labels joined by slashes.", example = "research/llm")
            String path,

            @Schema(
                    description = "Quota in thousandths of a GPU by flavor; none is no limit here.",
                    example = "{\"h100-sxm\": 64000}")
            @Nullable
            Map<String, Long> nominalMilli) {}

    /** A JSON Merge Patch. */
    @Schema(name = "QueuePatch", description = "JSON Merge Patch: what is named changes, null takes a limit away.")
    record QueuePatch(
            @Schema(
                    description =
                            "New quotas by flavor; null for a flavor takes its limit away, null for all takes all.",
                    implementation = Map.class,
                    example = "{\"h100-sxm\": 128000}")
            @Nullable
            JsonNode nominalMilli,

            @Schema(description = "Whether nothing may start from it.", implementation = Boolean.class) @Nullable
            JsonNode held) {}

    static void checkPath(String path, Violations violations) {
        String[] labels = path.split("/", -1);
        if (labels.length > MOST_LEVELS || !Arrays.stream(labels).allMatch(Names::isDnsLabel)) {
            violations.add(
                    "path", "give 1 to " + MOST_LEVELS + " names of a-z, 0-9 and inner dashes, joined by slashes");
        } else if (Names.isNumber(path)) {
            violations.add("path", "is a number, and would be read as an id; give a name with a letter");
        }
    }

    static void checkQuota(Map<String, Long> nominalMilli, Collection<String> flavors, Violations violations) {
        if (nominalMilli.size() > MOST_FLAVORS) {
            violations.add("nominalMilli", "names more than " + MOST_FLAVORS + " flavors");
            return;
        }
        nominalMilli.forEach((flavor, milli) -> {
            if (!flavors.contains(flavor)) {
                violations.add("nominalMilli." + flavor, Nearest.hint(flavor, flavors));
            } else if (milli < 0 || milli > Limits.QUOTA_MILLI) {
                violations.add(
                        "nominalMilli." + flavor,
                        "is " + milli + "; give a whole number from 0 to " + Limits.QUOTA_MILLI);
            }
        });
    }

    /** The whole quota after the patch; null when the patch does not speak of it. */
    static @Nullable Map<String, Long> merge(
            Map<String, Long> before, @Nullable JsonNode patch, Violations violations) {
        if (patch == null) {
            return null;
        }
        Map<String, Long> after = new LinkedHashMap<>(patch.isNull() ? Map.of() : before);
        if (!patch.isNull() && !patch.isObject()) {
            violations.add("nominalMilli", "give an object with a number for each flavor");
        }
        for (Map.Entry<String, JsonNode> change : patch.properties()) {
            JsonNode milli = change.getValue();
            if (milli.isNull()) {
                after.remove(change.getKey());
            } else if (milli.isIntegralNumber() && milli.canConvertToLong()) {
                after.put(change.getKey(), milli.longValue());
            } else {
                violations.add("nominalMilli." + change.getKey(), "give a whole number, or null for no limit");
            }
        }
        return after;
    }

    static @Nullable Boolean held(@Nullable JsonNode held, Violations violations) {
        if (held != null && !held.isBoolean()) {
            violations.add("held", "give true or false");
        }
        return held == null ? null : held.asBoolean(false);
    }
}
