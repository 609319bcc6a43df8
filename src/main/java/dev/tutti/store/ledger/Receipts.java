package dev.tutti.store.ledger;

import dev.tutti.control.PlanId;
import dev.tutti.control.Receipt;
import dev.tutti.model.JobId;
import dev.tutti.store.Json;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Keeps the receipts of commits, so that a lost reply can be read back. */
final class Receipts {

    private Receipts() {}

    static Optional<Receipt> find(JdbcClient sql, PlanId id) {
        return sql.sql("SELECT receipt FROM plans WHERE id = :id")
                .param("id", id.value())
                .query((row, n) -> Json.read(row.getString(1), Stored.class).receipt())
                .optional();
    }

    static void keep(JdbcClient sql, PlanId id, long term, Receipt receipt) {
        sql.sql("INSERT INTO plans (id, term, receipt) VALUES (:id, :term, :receipt::jsonb)")
                .param("id", id.value())
                .param("term", term)
                .param("receipt", Json.write(Stored.of(receipt)))
                .update();
    }

    /** @param evicted null in what was kept before there were any */
    private record Stored(
            List<UUID> committed, @Nullable List<UUID> evicted, List<UUID> stale, Map<String, String> refused) {

        static Stored of(Receipt receipt) {
            return new Stored(
                    ids(receipt.committed()), ids(receipt.evicted()), ids(receipt.stale()), words(receipt.refused()));
        }

        Receipt receipt() {
            return new Receipt(
                    jobs(committed),
                    evicted == null ? Set.of() : jobs(evicted),
                    jobs(stale),
                    refused.entrySet().stream()
                            .collect(Collectors.toMap(
                                    entry -> new JobId(UUID.fromString(entry.getKey())), Map.Entry::getValue)));
        }

        private static Set<JobId> jobs(List<UUID> ids) {
            return ids.stream().map(JobId::new).collect(Collectors.toSet());
        }

        private static List<UUID> ids(Set<JobId> jobs) {
            return jobs.stream().map(JobId::value).sorted().toList();
        }

        private static Map<String, String> words(Map<JobId, String> refused) {
            return refused.entrySet().stream()
                    .collect(Collectors.toMap(entry -> entry.getKey().toString(), Map.Entry::getValue));
        }
    }
}
