package dev.tutti.store.identity;

import dev.tutti.control.ApiKeyBook.NewApiKey;
import dev.tutti.control.Identities.Role;
import dev.tutti.control.read.ApiKeyQueries.ApiKeyView;
import dev.tutti.store.Pages;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Rows of API keys. */
final class ApiKeys {

    /** Columns of a view. */
    static final String COLUMNS = "id, name, role, version, created_at, expires_at";

    private static final String LOCK = "SELECT sha256, " + COLUMNS + " FROM api_keys WHERE id = :id FOR UPDATE";

    private static final String INSERT = """
            INSERT INTO api_keys (sha256, name, role, expires_at) VALUES (:sha256, :name, :role, :expiresAt)
            ON CONFLICT (name) DO NOTHING RETURNING\s""" + COLUMNS;

    private ApiKeys() {}

    /** One row, locked until the transaction ends. */
    record Locked(String sha256, ApiKeyView view) {}

    /** Keeps others from making API keys until the transaction ends, so that counting them means something. */
    static long lockAndCount(JdbcClient sql) {
        sql.sql("SELECT set_config('lock_timeout', '2000', true)")
                .query(String.class)
                .single();
        sql.sql("LOCK TABLE api_keys IN SHARE ROW EXCLUSIVE MODE").update();
        return sql.sql("SELECT count(*) FROM api_keys").query(Long.class).single();
    }

    /** The new row; empty when there is one of this name. */
    static Optional<ApiKeyView> insert(JdbcClient sql, NewApiKey key) {
        @Nullable Instant expiresAt = key.expiresAt();
        return sql.sql(INSERT)
                .param("sha256", key.sha256())
                .param("name", key.name())
                .param("role", key.role().name())
                .param("expiresAt", expiresAt == null ? null : Pages.parameter(expiresAt))
                .query(ApiKeys::view)
                .optional();
    }

    static Optional<Locked> lock(JdbcClient sql, long id) {
        return sql.sql(LOCK)
                .param("id", id)
                .query((row, n) -> new Locked(row.getString("sha256"), view(row, n)))
                .optional();
    }

    static void delete(JdbcClient sql, long id) {
        sql.sql("DELETE FROM api_keys WHERE id = :id").param("id", id).update();
    }

    static ApiKeyView view(ResultSet row, int number) throws SQLException {
        return new ApiKeyView(
                row.getLong("id"),
                row.getString("name"),
                Role.valueOf(row.getString("role")),
                row.getLong("version"),
                Objects.requireNonNull(Pages.instant(row, "created_at")),
                Pages.instant(row, "expires_at"));
    }
}
