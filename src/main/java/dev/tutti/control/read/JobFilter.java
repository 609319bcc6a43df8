package dev.tutti.control.read;

import dev.tutti.model.job.Lane;
import dev.tutti.model.life.JobState;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which jobs a list shows. Null and empty mean "any".
 *
 * @param queue id or path; a queue that is not a leaf stands for all leaves below it
 * @param labels every one of them must be there with this value
 * @param since submitted at or after
 * @param newestFirst by submission time, newest first; else oldest first
 */
public record JobFilter(
        @Nullable String queue,
        Set<JobState> states,
        @Nullable Lane lane,
        Map<String, String> labels,
        @Nullable Instant since,
        boolean newestFirst) {}
