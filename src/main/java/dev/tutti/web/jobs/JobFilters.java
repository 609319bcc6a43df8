package dev.tutti.web.jobs;

import dev.tutti.control.read.JobFilter;
import dev.tutti.model.job.Lane;
import dev.tutti.model.life.JobState;
import dev.tutti.web.input.Times;
import dev.tutti.web.input.Violations;
import dev.tutti.web.jobs.form.JobReader;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads the list's filters from the query. */
final class JobFilters {

    private JobFilters() {}

    static JobFilter of(
            @Nullable String queue,
            List<JobState> states,
            @Nullable String lane,
            List<String> labels,
            @Nullable String since,
            String sort) {
        Violations violations = new Violations();
        JobFilter filter = new JobFilter(
                queue,
                Set.copyOf(states),
                lane(lane, violations),
                labels(labels, violations),
                since == null ? null : Times.read(since, "since", violations),
                newestFirst(sort, violations));
        violations.orThrow();
        return filter;
    }

    private static @Nullable Lane lane(@Nullable String word, Violations violations) {
        Optional<Lane> lane = word == null ? Optional.empty() : JobReader.lane(word);
        if (word != null && lane.isEmpty()) {
            violations.add("lane", "is \"" + word + "\"; give green, yellow or red");
        }
        return lane.orElse(null);
    }

    private static Map<String, String> labels(List<String> texts, Violations violations) {
        Map<String, String> labels = new LinkedHashMap<>();
        for (String text : texts) {
            int equals = text.indexOf('=');
            if (equals < 1) {
                violations.add("label", "is \"" + text + "\"; give key=value");
            } else {
                labels.put(text.substring(0, equals), text.substring(equals + 1));
            }
        }
        return labels;
    }

    private static boolean newestFirst(String sort, Violations violations) {
        if (!sort.equals("-submittedAt") && !sort.equals("submittedAt")) {
            violations.add("sort", "is \"" + sort + "\"; give submittedAt or -submittedAt");
        }
        return sort.startsWith("-");
    }
}
