package dev.tutti.kubernetes;

import dev.tutti.control.ClusterGateway.Outcome;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes sure, before the first bind, that this API server refuses a binding whose UID or resource version is not the
 * pod's. Servers have lost the first of the two before (kubernetes#116550), and without them a late bind of a deposed
 * leader would succeed. The check is two binds of the very pod that is to be bound, to the very node, each with one
 * precondition wrong: where the server does not look, the pod ends up where it was meant to be.
 */
final class BindingCheck {

    private static final Logger LOG = LoggerFactory.getLogger(BindingCheck.class);

    private static final String WRONG_UID = "00000000-0000-0000-0000-000000000000";
    private static final String WRONG_VERSION = "1";

    private enum Verdict {
        UNCHECKED,
        HOLDS,
        BROKEN
    }

    private final Answers answers;
    private volatile Verdict verdict = Verdict.UNCHECKED;

    BindingCheck(Answers answers) {
        this.answers = answers;
    }

    /**
     * Why the bind of this pod must not be sent; null when it may.
     *
     * @param bind sends the bind with the given UID and resource version
     */
    @Nullable
    Outcome objection(String name, String uid, String version, BiFunction<String, String, Answer> bind) {
        return switch (verdict) {
            case HOLDS -> null;
            case BROKEN ->
                new Outcome.Refused("this API server ignores the preconditions of bindings; nothing is bound");
            case UNCHECKED -> check(name, uid, version, bind);
        };
    }

    private synchronized @Nullable Outcome check(
            String name, String uid, String version, BiFunction<String, String, Answer> bind) {
        if (verdict != Verdict.UNCHECKED) {
            return objection(name, uid, version, bind);
        }
        Outcome objection = refuses("UID", name, bind.apply(WRONG_UID, version));
        if (objection == null) {
            objection = refuses("ResourceVersion", name, bind.apply(uid, WRONG_VERSION));
        }
        if (objection == null) {
            verdict = Verdict.HOLDS;
        }
        return objection;
    }

    /** Null when the server refused because of the wrong {@code what}. */
    private @Nullable Outcome refuses(String what, String name, Answer answer) {
        if (!(answer instanceof Answer.Reply reply)) {
            return answers.failure(answer, name);
        }
        if (reply.isSuccess()) {
            verdict = Verdict.BROKEN;
            LOG.error("the API server bound pod {} with a wrong {}: nothing more is bound in this cluster", name, what);
            return new Outcome.Unknown("bound in spite of a wrong " + what);
        }
        return answers.isPreconditionFailed(reply, what) ? null : answers.failure(reply, name);
    }
}
