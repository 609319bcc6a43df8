package dev.tutti.store.identity;

import dev.tutti.control.Actor;
import dev.tutti.control.ApiKeyBook;
import dev.tutti.control.Identities;
import dev.tutti.control.KeyedCall;
import dev.tutti.control.read.ApiKeyQueries.ApiKeyView;
import dev.tutti.store.IdempotencyKeys;
import dev.tutti.store.IdempotencyKeys.First;
import dev.tutti.store.NothingStored;
import dev.tutti.store.SqlTransactions;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** API keys in PostgreSQL, made and revoked. What is kept with an Idempotency-Key is the id of what it made. */
@Component
public final class SqlApiKeyBook implements ApiKeyBook {

    private static final byte[] NOT_YET = {};
    private static final Set<String> RESERVED = Set.of(Identities.FIRST_ADMINISTRATOR, Identities.LOCAL);

    private final SqlTransactions transactions;

    public SqlApiKeyBook(SqlTransactions transactions) {
        this.transactions = transactions;
    }

    @Override
    public Made make(KeyedCall call, NewApiKey key) {
        return NothingStored.or(Made.class, () -> transactions.write("an API key", sql -> makeOnce(sql, call, key)));
    }

    /** {@link NothingStored} for what is refused, so that the Idempotency-Key stays free. */
    private static Made makeOnce(JdbcClient sql, KeyedCall call, NewApiKey key) {
        Optional<First> earlier = IdempotencyKeys.take(sql, call, NOT_YET);
        if (earlier.isPresent()) {
            return earlier(earlier.get());
        }
        if (RESERVED.contains(key.name())) {
            throw refused("the name \"" + key.name() + "\" is reserved; give another name");
        }
        if (ApiKeys.lockAndCount(sql) >= MOST) {
            throw new NothingStored(new Made.Full());
        }
        ApiKeyView made = ApiKeys.insert(sql, key)
                .orElseThrow(() -> refused("there is an API key \"" + key.name()
                        + "\" already; give another name, or revoke that one first"));
        IdempotencyKeys.answer(sql, call, Long.toString(made.id()).getBytes(StandardCharsets.US_ASCII));
        ApiKeyTale.created(sql, call.caller(), made);
        return new Made.Done(made);
    }

    private static Made earlier(First first) {
        if (first instanceof First.Answered answered) {
            return new Made.Before(Long.parseLong(new String(answered.answer(), StandardCharsets.US_ASCII)));
        }
        if (first instanceof First.Running) {
            throw new NothingStored(new Made.KeyBusy());
        }
        return new Made.KeyReused();
    }

    private static NothingStored refused(String why) {
        return new NothingStored(new Made.Refused("name", why));
    }

    @Override
    public Revoked revoke(long id, @Nullable Long version, Actor.Caller caller) {
        return transactions.write("an API key", sql -> {
            Optional<ApiKeys.Locked> found = ApiKeys.lock(sql, id);
            if (found.isEmpty()) {
                return new Revoked.NotFound();
            }
            ApiKeyView key = found.get().view();
            if (version != null && version != key.version()) {
                return new Revoked.Stale(key.version());
            }
            if (key.name().equals(Identities.FIRST_ADMINISTRATOR)) {
                return new Revoked.First();
            }
            ApiKeys.delete(sql, id);
            ApiKeyTale.revoked(sql, caller, key);
            return new Revoked.Done(found.get().sha256());
        });
    }
}
