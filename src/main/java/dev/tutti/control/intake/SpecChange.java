package dev.tutti.control.intake;

import dev.tutti.model.Violation;
import dev.tutti.model.job.JobSpec;
import dev.tutti.model.job.PodSet;
import dev.tutti.model.life.JobState;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What a job asked for before and asks for now. It decides whether a job in a state may change so; ranges are the spec's.
 */
public record SpecChange(JobSpec before, JobSpec after) {

    /** Whether nothing changes. */
    public boolean isEmpty() {
        return before.equals(after);
    }

    /**
     * Why it may never be so: the deadline it sets is over.
     *
     * @param nowMicros the database's time, in microseconds since 1970
     */
    public Optional<Violation> never(long nowMicros) {
        return Objects.equals(before.limits().deadline(), after.limits().deadline())
                ? Optional.empty()
                : PastDeadline.of(after, nowMicros);
    }

    /**
     * Why it may not be so now. A lane says on whose quota a job runs, so it stays while the job holds any: green runs on
     * nominal quota alone, red on none.
     */
    public Optional<Violation> notNow(JobState state) {
        return before.lane() != after.lane() && state.isLive()
                ? Optional.of(new Violation(
                        "lane",
                        "cannot change while the job is " + state
                                + ", because it says on whose quota the job runs; "
                                + (state == JobState.STOPPING
                                        ? "if it was suspended, wait until it is SUSPENDED"
                                        : "suspend the job first")))
                : Optional.empty();
    }

    /** The fields that change, by name, as they were. */
    public Map<String, Object> was() {
        return differing(before, after);
    }

    /** The fields that change, by name, as they are. */
    public Map<String, Object> is() {
        return differing(after, before);
    }

    private static Map<String, Object> differing(JobSpec of, JobSpec other) {
        Map<String, Object> fields = fields(of);
        fields.entrySet().removeAll(fields(other).entrySet());
        return fields;
    }

    private static Map<String, Object> fields(JobSpec spec) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("lane", spec.lane().word());
        fields.put("priority", spec.priority());
        fields.put("maxRuntimeSeconds", spec.limits().maxRuntimeSeconds());
        fields.put("deadline", text(spec.limits().deadline()));
        fields.put("maxQueueSeconds", spec.limits().maxQueueSeconds());
        fields.put("readyTimeoutSeconds", spec.limits().readyTimeoutSeconds());
        fields.put("fallbackAfterSeconds", spec.limits().fallbackAfterSeconds());
        fields.put("labels", spec.labels());
        fields.put(
                "counts",
                spec.podSets().stream()
                        .collect(Collectors.toMap(PodSet::name, PodSet::count, (one, other) -> one, TreeMap::new)));
        return fields;
    }

    private static @Nullable String text(@Nullable Object value) {
        return value == null ? null : value.toString();
    }
}
