package dev.tutti.web.jobs.form;

import dev.tutti.model.JobId;
import dev.tutti.web.problem.ProblemFound;
import dev.tutti.web.problem.ProblemKind;
import java.util.UUID;

/** Where jobs are found. */
public final class JobPaths {

    public static final String JOBS = "/api/v1/jobs";

    private JobPaths() {}

    public static String of(JobId id) {
        return JOBS + "/" + id;
    }

    /** Ids are opaque: text that is no id of ours names no job. */
    public static JobId id(String text) {
        try {
            UUID uuid = UUID.fromString(text);
            if (uuid.toString().equals(text)) {
                return new JobId(uuid);
            }
        } catch (IllegalArgumentException notAnId) {
            throw notFound();
        }
        throw notFound();
    }

    public static ProblemFound notFound() {
        return new ProblemFound(
                ProblemKind.NOT_FOUND, "there is no job with this id; GET /api/v1/jobs lists those that there are");
    }
}
