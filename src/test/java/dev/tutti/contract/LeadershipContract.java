package dev.tutti.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What every leadership does: one holder at a time, by the store's clock, and a term that only grows. */
public abstract class LeadershipContract extends StoreContract {

    @Test
    final void theHolderKeepsItsTermHoweverOftenItAsks() {
        assertThat(store.leadership().lead("first")).hasValue(leader.term());
        store.advance(store.lease().minus(Duration.ofSeconds(1)));
        assertThat(store.leadership().lead("first")).hasValue(leader.term());
    }

    @Test
    final void nobodyElseLeadsBeforeTheLeaseIsOver() {
        store.advance(store.lease().minus(Duration.ofSeconds(2)));
        assertThat(store.leadership().lead("second")).isEmpty();
        store.advance(Duration.ofSeconds(3));
        assertThat(store.leadership().lead("second")).hasValue(leader.term() + 1);
        assertThat(store.leadership().lead("first")).isEmpty();
    }

    @Test
    final void aRenewedLeaseCountsFromItsRenewal() {
        store.advance(store.lease().minus(Duration.ofSeconds(1)));
        store.leadership().lead("first");
        store.advance(store.lease().minus(Duration.ofSeconds(2)));
        assertThat(store.leadership().lead("second")).isEmpty();
    }

    @Test
    final void whoeverLetItsLeaseRunOutLeadsOnInItsTermIfNobodyCame() {
        store.advance(store.lease().multipliedBy(10));
        assertThat(store.leadership().lead("first")).hasValue(leader.term());
    }

    @Test
    final void aResignedLeaderIsFollowedAtOnce() {
        store.leadership().resign("second");
        assertThat(store.leadership().lead("second")).isEmpty();
        store.leadership().resign("first");
        assertThat(store.leadership().lead("second")).hasValue(leader.term() + 1);
    }
}
