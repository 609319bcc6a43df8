package dev.tutti.kubernetes;

import dev.tutti.control.ClusterGateway.Outcome;
import dev.tutti.kubernetes.sighting.Texts;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.api.model.StatusDetails;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;

/**
 * Gives each answer its one meaning. Absence is believed only of an API server that names the pod it does not have:
 * anything on the road can answer 404, and what is absent may be given to others. A refusal for lack of a valid token is
 * no verdict on the pod, so it reads as "wait".
 */
final class Answers {

    private static final Duration SHORT_WAIT = Duration.ofSeconds(1);
    private static final Duration LONG_WAIT = Duration.ofSeconds(30);
    private static final Duration LONGEST_WAIT = Duration.ofMinutes(5);
    private static final int TEXT = 512;

    private final KubernetesSerialization json;

    Answers(KubernetesSerialization json) {
        this.json = json;
    }

    /** The pod of a successful reply; empty when it holds none. */
    Optional<Pod> pod(Answer.Reply reply) {
        return read(reply, Pod.class, Pod::getKind)
                .filter(pod -> pod.getMetadata() != null
                        && pod.getMetadata().getName() != null
                        && pod.getMetadata().getUid() != null);
    }

    /** The reply's error object; empty when it is none of Kubernetes. */
    Optional<Status> status(Answer.Reply reply) {
        return read(reply, Status.class, Status::getKind);
    }

    /** The meaning of a call about pod {@code name} that did not succeed. */
    Outcome failure(Answer answer, String name) {
        if (answer instanceof Answer.Silence silence) {
            return new Outcome.Unknown(silence.why());
        }
        Answer.Reply reply = (Answer.Reply) answer;
        String said = said(reply);
        return switch (reply.code()) {
            case 401 -> new Outcome.Busy(LONG_WAIT);
            case 404 -> isAbsent(reply, name) ? new Outcome.Absent() : new Outcome.Unknown(said);
            case 408 -> new Outcome.Unknown(said);
            case 409 -> new Outcome.Conflict(said);
            case 429 -> new Outcome.Busy(wait(reply));
            // Without the header it may be a proxy that lost a call which had reached the server.
            case 503 -> reply.retryAfter() == null ? new Outcome.Unknown(said) : new Outcome.Busy(wait(reply));
            default ->
                reply.code() >= 400 && reply.code() < 500 ? new Outcome.Refused(said) : new Outcome.Unknown(said);
        };
    }

    /** Whether a reply to a create says that the name is taken. */
    boolean isTaken(Answer.Reply reply) {
        return reply.code() == 409
                && status(reply)
                        .map(Status::getReason)
                        .filter("AlreadyExists"::equals)
                        .isPresent();
    }

    /** Whether a reply says that {@code what} (UID, ResourceVersion) was not the one asked for. */
    boolean isPreconditionFailed(Answer.Reply reply, String what) {
        return reply.code() == 409 && said(reply).contains(what + " in precondition");
    }

    /** What a reply says, for people: its code and the server's words, cut to a bounded length. */
    String said(Answer.Reply reply) {
        String words = status(reply).map(Status::getMessage).orElse(reply.body());
        return "answered " + reply.code() + ": " + Texts.bounded(words, TEXT);
    }

    private boolean isAbsent(Answer.Reply reply, String name) {
        Optional<Status> status = status(reply);
        StatusDetails details = status.map(Status::getDetails).orElse(null);
        return details != null
                && "NotFound".equals(status.get().getReason())
                && "pods".equals(details.getKind())
                && name.equals(details.getName());
    }

    private Duration wait(Answer.Reply reply) {
        Duration asked = reply.retryAfter();
        if (asked == null) {
            asked = status(reply)
                    .map(Status::getDetails)
                    .map(StatusDetails::getRetryAfterSeconds)
                    .filter(seconds -> seconds > 0)
                    .map(Duration::ofSeconds)
                    .orElse(SHORT_WAIT);
        }
        return asked.compareTo(LONGEST_WAIT) > 0 ? LONGEST_WAIT : asked;
    }

    private <T> Optional<T> read(Answer.Reply reply, Class<T> type, Function<T, String> kind) {
        try {
            return Optional.ofNullable(json.unmarshal(reply.body(), type))
                    .filter(object -> type.getSimpleName().equals(kind.apply(object)));
        } catch (RuntimeException e) {
            return Optional.empty();
        }
    }
}
