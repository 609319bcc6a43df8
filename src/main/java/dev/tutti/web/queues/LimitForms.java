package dev.tutti.web.queues;

import dev.tutti.model.queue.QueueLimits;
import dev.tutti.web.input.Nearest;
import dev.tutti.web.input.Texts;
import dev.tutti.web.input.Violations;
import dev.tutti.web.queues.QueueForms.QueuePatch;
import dev.tutti.web.queues.QueueForms.QueueRequest;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** How much may be in a queue at once, as it goes over the wire. */
final class LimitForms {

    private static final String WAITING = "maxWaitingJobs";
    private static final String RUNNING = "maxRunningJobs";
    private static final String GPUS = "maxGpuMilli";
    private static final String NODES = "maxWholeNodes";
    private static final String USER = "perUser";
    private static final List<String> OF_USER = List.of(WAITING, RUNNING, GPUS);
    private static final String RANGE =
            "give a whole number from 0 to " + QueueLimits.MOST_JOBS + ", or null for no limit";

    private static final String MILLI_RANGE = "give a whole number of thousandths of a GPU from 0 to "
            + QueueLimits.MOST_MILLI + ", or null for no limit";

    private static final UserLimits NO_USER_LIMITS = UserLimits.of(QueueLimits.NONE);

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
            Integer maxWaitingJobs,

            @Schema(
                    description =
                            "How many of one user's jobs may hold something (bound, running or stopping) in the queue and"
                                    + " those below it; further ones wait with USER_LIMIT, and other users' jobs pass them."
                                    + " Absent: no limit. 0: nothing of theirs starts.",
                    minimum = "0",
                    maximum = "1000000",
                    example = "10")
            @Nullable
            Integer maxRunningJobs,

            @Schema(
                    description =
                            "How many thousandths of a GPU one user's jobs may hold (bound, running or stopping) at the"
                                    + " same time in the queue and those below it, of all flavors together. A job that would"
                                    + " take more waits with USER_LIMIT, an elastic one stays as small as it must, and other"
                                    + " users' jobs pass them. Absent: no limit. 0: jobs without GPUs start, and no others.",
                    minimum = "0",
                    maximum = "1000000000",
                    example = "16000")
            @Nullable
            Long maxGpuMilli) {

        static UserLimits of(QueueLimits limits) {
            return new UserLimits(limits.userMaxWaitingJobs(), limits.userMaxRunningJobs(), limits.userMaxGpuMilli());
        }
    }

    static QueueLimits of(QueueRequest request, Violations violations) {
        UserLimits user = request.perUser();
        return new QueueLimits(
                checked(WAITING, request.maxWaitingJobs(), violations),
                user == null ? null : checked(USER + "." + WAITING, user.maxWaitingJobs(), violations),
                checked(RUNNING, request.maxRunningJobs(), violations),
                user == null ? null : checked(USER + "." + RUNNING, user.maxRunningJobs(), violations),
                user == null ? null : checkedMilli(USER + "." + GPUS, user.maxGpuMilli(), violations),
                request.maxWholeNodes() == null ? Map.of() : wholeNodes(request.maxWholeNodes(), violations));
    }

    private static Map<String, Integer> wholeNodes(Map<String, Integer> given, Violations violations) {
        Map<String, Integer> limits = new TreeMap<>();
        given.forEach((flavor, nodes) -> {
            Integer limit = checked(NODES + "." + flavor, nodes, violations);
            if (limit != null) {
                limits.put(flavor, limit);
            }
        });
        return limits;
    }

    private static Map<String, Integer> mergedNodes(
            Map<String, Integer> before, @Nullable JsonNode patch, Violations violations) {
        if (patch == null || patch.isNull()) {
            return patch == null ? before : Map.of();
        }
        if (!patch.isObject()) {
            violations.add(NODES, is(patch) + "give an object with a number of nodes by flavor, or null for no limit");
            return before;
        }
        Map<String, Integer> limits = new TreeMap<>(before);
        patch.properties().forEach(entry -> {
            String flavor = entry.getKey();
            Integer limit = merged(NODES + "." + flavor, before.get(flavor), entry.getValue(), violations);
            if (limit == null) {
                limits.remove(flavor);
            } else {
                limits.put(flavor, limit);
            }
        });
        return limits;
    }

    /** Notes limits of flavors that there are not. */
    static void check(QueueLimits limits, Collection<String> flavors, Violations violations) {
        limits.maxWholeNodes().keySet().stream()
                .filter(flavor -> !flavors.contains(flavor))
                .forEach(flavor -> violations.add(NODES + "." + flavor, Nearest.hint(flavor, flavors)));
    }

    /** What a JSON Merge Patch makes of the limits. */
    static QueueLimits merge(QueueLimits before, QueuePatch patch, Violations violations) {
        UserLimits ofUser = mergedOfUser(UserLimits.of(before), patch.perUser(), violations);
        return new QueueLimits(
                merged(WAITING, before.maxWaitingJobs(), patch.maxWaitingJobs(), violations),
                ofUser.maxWaitingJobs(),
                merged(RUNNING, before.maxRunningJobs(), patch.maxRunningJobs(), violations),
                ofUser.maxRunningJobs(),
                ofUser.maxGpuMilli(),
                mergedNodes(before.maxWholeNodes(), patch.maxWholeNodes(), violations));
    }

    private static UserLimits mergedOfUser(UserLimits before, @Nullable JsonNode perUser, Violations violations) {
        if (perUser == null || perUser.isNull()) {
            return perUser == null ? before : NO_USER_LIMITS;
        }
        if (!perUser.isObject()) {
            violations.add(USER, is(perUser) + "give an object with one of " + String.join(", ", OF_USER));
            return before;
        }
        perUser.propertyNames().stream()
                .filter(name -> !OF_USER.contains(name))
                .forEach(name ->
                        violations.add(USER + "." + name, "is not known; give one of " + String.join(", ", OF_USER)));
        return new UserLimits(
                merged(USER + "." + WAITING, before.maxWaitingJobs(), perUser.get(WAITING), violations),
                merged(USER + "." + RUNNING, before.maxRunningJobs(), perUser.get(RUNNING), violations),
                mergedMilli(USER + "." + GPUS, before.maxGpuMilli(), perUser.get(GPUS), violations));
    }

    private static @Nullable Integer merged(
            String field, @Nullable Integer before, @Nullable JsonNode patch, Violations violations) {
        if (patch == null || patch.isNull()) {
            return patch == null ? before : null;
        }
        if (!patch.isIntegralNumber() || !patch.canConvertToInt()) {
            violations.add(field, is(patch) + RANGE);
            return null;
        }
        return checked(field, patch.intValue(), violations);
    }

    private static @Nullable Long mergedMilli(
            String field, @Nullable Long before, @Nullable JsonNode patch, Violations violations) {
        if (patch == null || patch.isNull()) {
            return patch == null ? before : null;
        }
        if (!patch.isIntegralNumber() || !patch.canConvertToLong()) {
            violations.add(field, is(patch) + MILLI_RANGE);
            return null;
        }
        return checkedMilli(field, patch.longValue(), violations);
    }

    private static String is(JsonNode given) {
        return "is " + Texts.shown(given) + "; ";
    }

    private static @Nullable Long checkedMilli(String field, @Nullable Long milli, Violations violations) {
        if (milli != null && (milli < 0 || milli > QueueLimits.MOST_MILLI)) {
            violations.add(field, "is " + milli + "; " + MILLI_RANGE);
            return null;
        }
        return milli;
    }

    private static @Nullable Integer checked(String field, @Nullable Integer jobs, Violations violations) {
        if (jobs != null && (jobs < 0 || jobs > QueueLimits.MOST_JOBS)) {
            violations.add(field, "is " + jobs + "; " + RANGE);
            return null;
        }
        return jobs;
    }
}
