package dev.tutti.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.allocator.QueueShares;
import dev.tutti.control.QueueBook.Changed;
import dev.tutti.model.JobId;
import dev.tutti.model.QueueId;
import dev.tutti.model.life.EndCause;
import dev.tutti.model.life.MemberPhase;
import dev.tutti.model.queue.QueueRules;
import dev.tutti.model.queue.QuotaKey;
import dev.tutti.model.queue.Quotas;
import dev.tutti.model.queue.Use;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What every queue book does: changes at a version, quota that the ledger keeps, leaves that stay leaves. */
public abstract class QueueBookContract extends StoreContract {

    @Test
    final void aQueueIsMadeBelowOneThatIsThere() {
        long top = create("research");
        long leaf = create("research/llm");
        assertThat(everything().queues().get(new QueueId(leaf)).parent()).isEqualTo(new QueueId(top));
        assertThat(store.queues().create("research/llm", Quotas.NONE, QueueRules.PLAIN, ANNA))
                .isInstanceOf(Changed.Refused.class);
        assertThat(store.queues().create("nowhere/llm", Quotas.NONE, QueueRules.PLAIN, ANNA))
                .isInstanceOf(Changed.Refused.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "../x", "a//b", "/a", "a/", "Research", "a b", "a/b/c/d/e/f/g/h/i", "17"})
    final void aPathOfAnotherFormIsRefused(String path) {
        assertThat(store.queues().create(path, Quotas.NONE, QueueRules.PLAIN, ANNA))
                .isInstanceOf(Changed.Refused.class);
    }

    @Test
    final void aChangeNeedsTheVersionThatWasSeen() {
        long id = create("research");
        assertThat(store.queues().change(id, 0, Quotas.ofGpus(Map.of("h100", 8_000L)), null, ANNA))
                .isEqualTo(new Changed.Done(id, 1));
        assertThat(store.queues().change(id, 0, Quotas.NONE, null, ANNA)).isEqualTo(new Changed.Stale(1));
        assertThat(store.queues().change(id, 1, null, QueueRules.PLAIN.withHeld(true), ANNA))
                .isEqualTo(new Changed.Done(id, 2));
        assertThat(share(id).rules().held()).isTrue();
        assertThat(share(id).quotas())
                .isEqualTo(Quotas.ofGpus(Map.of("h100", 8_000L)).byKey());
        assertThat(store.queues().change(id, 2, Quotas.ofGpus(Map.of("a100", 1L)), null, ANNA))
                .isEqualTo(new Changed.Done(id, 3));
        assertThat(share(id).quotas())
                .isEqualTo(Quotas.ofGpus(Map.of("a100", 1L)).byKey());
        assertThat(store.queues().change(999_999, 0, null, QueueRules.PLAIN.withHeld(true), ANNA))
                .isEqualTo(new Changed.NotFound());
    }

    @Test
    final void theLedgerKeepsTheQuotaOfEveryQueueAbove() {
        nodes(1);
        create("research", Quotas.ofGpus(Map.of("h100", 2_000L)));
        create("research/llm");
        JobId first = submit(job("first", "research/llm", 1, 2, 0));
        JobId second = submit(job("second", "research/llm", 1, 1, 0));
        assertThat(commit(place(first, "n0", 0, 1)).committed()).containsExactly(first);

        assertThat(commit(place(second, "n0", 2)).refused()).containsOnlyKeys(second);

        stop(first, EndCause.CANCELLED_BY_USER);
        see(first, MemberPhase.GONE, null);
        assertThat(everything().queues().values())
                .allMatch(share -> share.used().values().stream().allMatch(use -> use.total() == 0));
        assertThat(commit(place(second, "n0", 2)).committed()).containsExactly(second);
    }

    @Test
    final void aQuotaMayShrinkBelowWhatIsInUse() {
        nodes(1);
        long id = create("research", Quotas.ofGpus(Map.of("h100", 2_000L)));
        JobId job = submit(job("job", "research", 1, 2, 0));
        commit(place(job, "n0", 0, 1));
        assertThat(store.queues().change(id, 0, Quotas.ofGpus(Map.of("h100", 1_000L)), null, ANNA))
                .isInstanceOf(Changed.Done.class);
        assertThat(usedMilli(id)).isEqualTo(2_000);
        stop(job, EndCause.CANCELLED_BY_USER);
        see(job, MemberPhase.GONE, null);
        assertThat(usedMilli(id)).isZero();
    }

    @Test
    final void onlyALeafWithoutOpenJobsIsRemovedAndItsPathIsFreeAgain() {
        long top = create("research");
        long leaf = create("research/llm");
        JobId job = submit(job("job", "research/llm", 1, 1, 0));

        assertThat(store.queues().remove(top, 0, ANNA)).isInstanceOf(Changed.Refused.class);
        assertThat(store.queues().remove(leaf, 0, ANNA)).isInstanceOf(Changed.Refused.class);
        store.jobs().stop(job, EndCause.CANCELLED_BY_USER, null, ANNA);
        assertThat(store.queues().remove(leaf, 7, ANNA)).isInstanceOf(Changed.Stale.class);
        assertThat(store.queues().remove(leaf, 0, ANNA)).isInstanceOf(Changed.Done.class);
        assertThat(store.queues().remove(leaf, 1, ANNA)).isEqualTo(new Changed.NotFound());
        assertThat(create("research/llm")).isNotEqualTo(leaf);
        assertThat(run(job).job()).isEqualTo(job);
    }

    @Test
    final void aQueueWithOpenJobsIsNotDivided() {
        create("research");
        submit(job("job", "research", 1, 1, 0));
        assertThat(store.queues().create("research/llm", Quotas.NONE, QueueRules.PLAIN, ANNA))
                .isInstanceOf(Changed.Refused.class);
    }

    private long create(String path) {
        return create(path, Quotas.NONE);
    }

    private long create(String path, Quotas quotas) {
        return ((Changed.Done) store.queues().create(path, quotas, QueueRules.PLAIN, ANNA)).id();
    }

    private long usedMilli(long id) {
        return share(id).used().getOrDefault(QuotaKey.gpus("h100"), Use.NONE).total();
    }

    private QueueShares.Share share(long id) {
        return everything().queues().get(new QueueId(id));
    }
}
