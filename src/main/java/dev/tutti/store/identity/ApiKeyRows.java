package dev.tutti.store.identity;

import java.util.Optional;
import org.springframework.data.jpa.repository.Query;
import org.springframework.data.repository.Repository;

/** Reads API keys. */
public interface ApiKeyRows extends Repository<ApiKeyRow, String> {

    @Query("SELECT k FROM ApiKeyRow k WHERE k.sha256 = ?1 AND (k.expiresAt IS NULL OR k.expiresAt > instant)")
    Optional<ApiKeyRow> findLive(String sha256);
}
