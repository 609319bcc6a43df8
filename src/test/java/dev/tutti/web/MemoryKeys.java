package dev.tutti.web;

import dev.tutti.control.Actor;
import dev.tutti.control.ApiKeyBook;
import dev.tutti.control.Identities;
import dev.tutti.control.KeyedCall;
import dev.tutti.control.read.ApiKeyQueries;
import dev.tutti.control.read.Page;
import dev.tutti.control.read.PageRequest;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** API keys in memory, by the rules that the ports promise; idempotency is the store's to test. */
final class MemoryKeys implements Identities, ApiKeyBook, ApiKeyQueries {

    private final Map<Long, Row> rows = new TreeMap<>();
    private long nextId = 1;

    private record Row(String sha256, ApiKeyView view) {}

    @Override
    public synchronized Optional<Identity> byKeyHash(String sha256) {
        return rows.values().stream()
                .filter(row -> row.sha256().equals(sha256))
                .map(row -> new Identity(row.view().name(), row.view().role()))
                .findFirst();
    }

    @Override
    public synchronized void ensure(String name, Role role, String sha256) {
        add(new NewApiKey(name, role, sha256, null));
    }

    @Override
    public synchronized Made make(KeyedCall call, NewApiKey key) {
        return key(key.name()).isPresent()
                ? new Made.Refused("name", "there is an API key of this name already")
                : new Made.Done(add(key));
    }

    private ApiKeyView add(NewApiKey key) {
        long id = nextId++;
        ApiKeyView view = new ApiKeyView(id, key.name(), key.role(), 0, Instant.now(), key.expiresAt());
        rows.put(id, new Row(key.sha256(), view));
        return view;
    }

    @Override
    public synchronized Revoked revoke(long id, Long version, Actor.Caller caller) {
        Row row = rows.remove(id);
        return row == null ? new Revoked.NotFound() : new Revoked.Done(row.sha256());
    }

    @Override
    public synchronized Page<ApiKeyView> keys(PageRequest page) {
        return MemoryPages.page(rows.values().stream().map(Row::view).toList(), page, view -> Long.toString(view.id()));
    }

    @Override
    public synchronized Optional<ApiKeyView> key(String idOrName) {
        return rows.values().stream()
                .map(Row::view)
                .filter(view ->
                        view.name().equals(idOrName) || Long.toString(view.id()).equals(idOrName))
                .findFirst();
    }
}
