package dev.tutti.store.ledger;

import dev.tutti.allocator.Plan;
import dev.tutti.allocator.Plan.Placement;
import dev.tutti.control.Actor;
import dev.tutti.control.PlanId;
import dev.tutti.control.Receipt;
import dev.tutti.model.JobId;
import dev.tutti.store.SqlErrors;
import dev.tutti.store.stream.Journal;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * One commit of one plan, inside its transaction. The quick way takes the whole plan at once and fails as a whole; the
 * careful way, taken after that, halves what the database refuses until the offender is alone, behind savepoints.
 */
final class PlanCommit {

    private final PlanId id;
    private final Actor.Leader leader;
    private final boolean careful;
    private final Journal journal = new Journal();
    private final Set<JobId> committed = new HashSet<>();
    private final Set<JobId> evicted = new HashSet<>();
    private final Set<JobId> stale = new HashSet<>();
    private final Map<JobId, String> refused = new HashMap<>();

    PlanCommit(PlanId id, Actor.Leader leader, boolean careful) {
        this.id = id;
        this.leader = leader;
        this.careful = careful;
    }

    Receipt run(JdbcClient sql, Plan plan) {
        return Receipts.find(sql, id).orElseGet(() -> commit(sql, plan));
    }

    private Receipt commit(JdbcClient sql, Plan plan) {
        Evictions evictions = Evictions.lock(sql, plan);
        take(sql, plan.placements(), batch -> place(sql, batch), (one, words) -> {
            if (Refusals.backOff(sql, one, words, leader, journal)) {
                refused.put(one.job(), words);
            } else {
                stale.add(one.job());
            }
        });
        take(sql, evictions.groups(), batch -> evictions.write(sql, batch, leader, evicted, stale), (one, words) -> {
            refused.put(one.beneficiary(), words);
            Refusals.tell(one.beneficiary(), words, leader, journal);
        });
        take(
                sql,
                plan.waits(),
                batch -> Verdicts.write(sql, batch, journal),
                (one, words) -> Refusals.tell(one.job(), words, leader, journal));
        take(
                sql,
                plan.retold(),
                batch -> Verdicts.retell(sql, batch),
                (one, words) -> Refusals.tell(one.job(), words, leader, journal));
        journal.write(sql);
        Receipt receipt = new Receipt(committed, evicted, stale, refused);
        Receipts.keep(sql, id, leader.term(), receipt);
        return receipt;
    }

    private void place(JdbcClient sql, List<Placement> batch) {
        List<Taken> taken = PlacementWriter.write(sql, batch);
        Set<JobId> now = new HashSet<>();
        for (Taken one : taken) {
            now.add(one.job());
            one.tell(journal, id, leader);
        }
        committed.addAll(now);
        batch.stream().map(Placement::job).filter(job -> !now.contains(job)).forEach(stale::add);
    }

    private <T> void take(JdbcClient sql, List<T> batch, Consumer<List<T>> write, Offender<T> offender) {
        if (batch.isEmpty()) {
            return;
        }
        if (!careful) {
            write.accept(batch);
            return;
        }
        sql.sql("SAVEPOINT batch").update();
        String words;
        try {
            write.accept(batch);
            sql.sql("RELEASE SAVEPOINT batch").update();
            return;
        } catch (RuntimeException e) {
            if (!SqlErrors.isRefusal(e)) {
                throw e;
            }
            words = SqlErrors.words(e);
            sql.sql("ROLLBACK TO SAVEPOINT batch").update();
        }
        if (batch.size() == 1) {
            offender.found(batch.get(0), words);
        } else {
            int half = batch.size() / 2;
            take(sql, batch.subList(0, half), write, offender);
            take(sql, batch.subList(half, batch.size()), write, offender);
        }
    }

    /** What becomes of the one that the database refuses. */
    private interface Offender<T> {
        void found(T one, String words);
    }
}
