package dev.tutti.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.control.Identities.Identity;
import dev.tutti.control.Identities.Role;
import dev.tutti.store.identity.ApiKeyRows;
import dev.tutti.store.identity.SqlIdentities;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SqlIdentitiesTest extends QueriesContract {

    private static final String HASH = "a".repeat(64);
    private static final String OTHER = "b".repeat(64);

    private JpaRepositories jpa;
    private SqlIdentities identities;

    @BeforeEach
    void openIdentities() {
        jpa = new JpaRepositories(sql().database());
        identities = new SqlIdentities(sql().transactions(), jpa.repository(ApiKeyRows.class));
    }

    @AfterEach
    void closeIdentities() {
        jpa.close();
    }

    @Test
    void aKeyIsKnownByItsHashOnly() {
        identities.ensure("root", Role.ADMIN, HASH);
        identities.ensure("root", Role.ADMIN, HASH);
        assertThat(identities.byKeyHash(HASH)).contains(new Identity("root", Role.ADMIN));
        assertThat(identities.byKeyHash(OTHER)).isEmpty();
    }

    @Test
    void aNewKeyOfANameTakesThePlaceOfTheOldOne() {
        identities.ensure("root", Role.ADMIN, HASH);
        identities.ensure("root", Role.OPERATOR, OTHER);
        assertThat(identities.byKeyHash(HASH)).isEmpty();
        assertThat(identities.byKeyHash(OTHER)).contains(new Identity("root", Role.OPERATOR));
    }

    @Test
    void anExpiredKeyIsNobodys() {
        identities.ensure("guest", Role.VIEWER, HASH);
        sql().database()
                .jdbcClient()
                .sql("UPDATE api_keys SET expires_at = now() - interval '1 second'")
                .update();
        assertThat(identities.byKeyHash(HASH)).isEmpty();
    }
}
