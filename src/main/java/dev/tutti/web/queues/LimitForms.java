package dev.tutti.web.queues;

import dev.tutti.model.queue.QueueLimits;
import dev.tutti.web.input.Violations;
import dev.tutti.web.queues.QueueForms.QueuePatch;
import dev.tutti.web.queues.QueueForms.QueueRequest;
import io.swagger.v3.oas.annotations.media.Schema;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** How much may be in a queue at once, as it goes over the wire. */
final class LimitForms {

    private static final String WAITING = "maxWaitingJobs";
    private static final String USER = "perUser";
    private static final String RANGE =
            "give a whole number from 0 to " + QueueLimits.MOST_JOBS + ", or null for no limit";

    private LimitForms() {}

    /** Limits for each user alone. */
    @Schema(
            name = "UserLimits",
            description =
                    "Limits for the jobs of one user, whoever it is: each user of the queue may have so much. The user is"
                            + " the identity that submitted, such as the name of the API key.")
    record UserLimits(
            @Schema(
                    description =
                            "How many of one user's jobs may wait (QUEUED or SUSPENDED) in the queue and those below"
                                    + " it; one more is refused with 409. Absent: no limit. 0: users may submit nothing.",
                    minimum = "0",
                    maximum = "1000000",
                    example = "200")
            @Nullable
            Integer maxWaitingJobs) {

        static UserLimits of(QueueLimits limits) {
            return new UserLimits(limits.userMaxWaitingJobs());
        }
    }

    static QueueLimits of(QueueRequest request, Violations violations) {
        UserLimits user = request.perUser();
        return new QueueLimits(
                checked(WAITING, request.maxWaitingJobs(), violations),
                user == null ? null : checked(USER + "." + WAITING, user.maxWaitingJobs(), violations));
    }

    /** What a JSON Merge Patch makes of the limits. */
    static QueueLimits merge(QueueLimits before, QueuePatch patch, Violations violations) {
        return new QueueLimits(
                merged(WAITING, before.maxWaitingJobs(), patch.maxWaitingJobs(), violations),
                mergedOfUser(before, patch.perUser(), violations));
    }

    private static @Nullable Integer mergedOfUser(
            QueueLimits before, @Nullable JsonNode perUser, Violations violations) {
        if (perUser == null || perUser.isNull()) {
            return perUser == null ? before.userMaxWaitingJobs() : null;
        }
        if (!perUser.isObject()) {
            violations.add(USER, "give an object with " + WAITING);
            return null;
        }
        perUser.propertyNames().stream()
                .filter(name -> !name.equals(WAITING))
                .forEach(name -> violations.add(USER + "." + name, "is not known; give " + WAITING));
        return merged(USER + "." + WAITING, before.userMaxWaitingJobs(), perUser.get(WAITING), violations);
    }

    private static @Nullable Integer merged(
            String field, @Nullable Integer before, @Nullable JsonNode patch, Violations violations) {
        if (patch == null || patch.isNull()) {
            return patch == null ? before : null;
        }
        if (!patch.isIntegralNumber() || !patch.canConvertToInt()) {
            violations.add(field, RANGE);
            return null;
        }
        return checked(field, patch.intValue(), violations);
    }

    private static @Nullable Integer checked(String field, @Nullable Integer jobs, Violations violations) {
        if (jobs != null && (jobs < 0 || jobs > QueueLimits.MOST_JOBS)) {
            violations.add(field, "is " + jobs + "; " + RANGE);
            return null;
        }
        return jobs;
    }
}
