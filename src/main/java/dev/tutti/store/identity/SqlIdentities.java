package dev.tutti.store.identity;

import dev.tutti.control.Identities;
import dev.tutti.store.SqlTransactions;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** API keys in PostgreSQL. A name has one key: a new key for it takes the place of the old one. */
@Component
public final class SqlIdentities implements Identities {

    private static final String UPSERT = """
            INSERT INTO api_keys AS k (sha256, name, role) VALUES (:sha256, :name, :role)
            ON CONFLICT (sha256) DO UPDATE
                SET name = excluded.name, role = excluded.role, expires_at = NULL, version = k.version + 1
                WHERE (k.name, k.role, k.expires_at) IS DISTINCT FROM (excluded.name, excluded.role, NULL)""";

    private final SqlTransactions transactions;
    private final ApiKeyRows keys;

    public SqlIdentities(SqlTransactions transactions, ApiKeyRows keys) {
        this.transactions = transactions;
        this.keys = keys;
    }

    @Override
    public Optional<Identity> byKeyHash(String sha256) {
        return transactions.read("a key", sql -> keys.findLive(sha256).map(ApiKeyRow::identity));
    }

    @Override
    public void ensure(String name, Role role, String sha256) {
        transactions.write("a key", sql -> ensure(sql, name, role, sha256));
    }

    private static int ensure(JdbcClient sql, String name, Role role, String sha256) {
        sql.sql("DELETE FROM api_keys WHERE name = :name AND sha256 <> :sha256")
                .param("name", name)
                .param("sha256", sha256)
                .update();
        return sql.sql(UPSERT)
                .param("sha256", sha256)
                .param("name", name)
                .param("role", role.name())
                .update();
    }
}
