package dev.tutti.control;

import dev.tutti.control.Identities.Role;
import dev.tutti.control.read.ApiKeyQueries.ApiKeyView;
import dev.tutti.model.Check;
import dev.tutti.model.InvalidInput;
import dev.tutti.model.Labels;
import dev.tutti.model.Limits;
import dev.tutti.model.Names;
import java.time.Instant;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The administrator's way to make and revoke API keys. Every change is one transaction with its audit row. An API key
 * itself never comes here, only its hash: what is not known cannot be stored, told or shown again.
 */
public interface ApiKeyBook {

    /** The most API keys there may be at a time, expired ones and the first administrator's among them. */
    int MOST = 1_000;

    /** Makes an API key; sent again under its Idempotency-Key it makes no second one. */
    Made make(KeyedCall call, NewApiKey key);

    /**
     * Revokes an API key.
     *
     * @param version revoke it only at this row version; null for any
     */
    Revoked revoke(long id, @Nullable Long version, Actor.Caller caller);

    /**
     * An API key to be made.
     *
     * @param name free text of 1 to {@link Limits#NAME_LENGTH} characters that can be one part of a path, no number;
     *     unique among the API keys. Names stored before this rule may break it; those are found by id alone
     * @param sha256 the API key's hash, hex in lower case
     * @param expiresAt from when on it is nobody's; null for never
     */
    record NewApiKey(
            String name, Role role, String sha256, @Nullable Instant expiresAt) {

        /** What cannot stand in one part of a path, not even encoded. */
        private static final Pattern NO_PART_OF_A_PATH =
                Pattern.compile("\\.{1,2}|.*[/\\\\;%\\u2028\\u2029].*", Pattern.DOTALL);

        /** {@link InvalidInput} for a name that is none. */
        public NewApiKey {
            new Check()
                    .that(
                            Names.isFreeText(name, Limits.NAME_LENGTH),
                            "name",
                            Names.notFreeText(name, Limits.NAME_LENGTH))
                    .that(
                            !Names.isNumber(name),
                            "name",
                            "is " + Labels.shown(name)
                                    + ", a number, and would be read as an id; give a name with a letter")
                    .that(
                            !NO_PART_OF_A_PATH.matcher(name).matches(),
                            "name",
                            "is \"" + Labels.shown(name)
                                    + "\", which no path can hold; give a name without / \\ ; % and"
                                    + " line separators that is not . or ..")
                    .orThrow();
        }
    }

    /** What became of an API key to be made. */
    sealed interface Made {

        record Done(ApiKeyView key) implements Made {}

        /** The same call made it before. */
        record Before(long id) implements Made {}

        /** It cannot be so, now: the field, and why. Nothing is stored. */
        record Refused(String field, String why) implements Made {}

        /** There are {@link #MOST}. Nothing is stored. */
        record Full() implements Made {}

        /** The Idempotency-Key was used with another body. */
        record KeyReused() implements Made {}

        /** Another call with this Idempotency-Key is still running. */
        record KeyBusy() implements Made {}
    }

    /** What became of an API key to be revoked. */
    sealed interface Revoked {

        /** It is nobody's now; whoever remembers its hash must forget it. */
        record Done(String sha256) implements Revoked {}

        record NotFound() implements Revoked {}

        record Stale(long version) implements Revoked {}

        /** It is the first administrator's, which the environment would bring back. */
        record First() implements Revoked {}
    }
}
