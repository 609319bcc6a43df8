package dev.tutti.store.identity;

import dev.tutti.control.Actor;
import dev.tutti.control.read.ApiKeyQueries.ApiKeyView;
import dev.tutti.store.stream.Journal;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/** What is told of API keys: all but the hash as audit row; as event, which every viewer reads, the name alone. */
final class ApiKeyTale {

    private ApiKeyTale() {}

    static void created(JdbcClient sql, Actor.Caller caller, ApiKeyView key) {
        tell(sql, caller, "key.create", key, null, facts(key));
    }

    static void revoked(JdbcClient sql, Actor.Caller caller, ApiKeyView key) {
        tell(sql, caller, "key.revoke", key, facts(key), null);
    }

    private static void tell(
            JdbcClient sql,
            Actor.Caller caller,
            String action,
            ApiKeyView key,
            @Nullable Map<String, Object> before,
            @Nullable Map<String, Object> after) {
        Journal journal = new Journal();
        String id = Long.toString(key.id());
        journal.event(action, id, Map.of("name", key.name()));
        journal.audit(caller, action, id, before, after);
        journal.write(sql);
    }

    private static Map<String, Object> facts(ApiKeyView key) {
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("name", key.name());
        facts.put("role", key.role().word());
        if (key.expiresAt() != null) {
            facts.put("expiresAt", key.expiresAt().toString());
        }
        return facts;
    }
}
