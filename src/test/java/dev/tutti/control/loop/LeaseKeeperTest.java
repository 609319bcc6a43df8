package dev.tutti.control.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tutti.control.Leadership;
import java.time.Duration;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class LeaseKeeperTest {

    private long nanos;
    private OptionalLong granted = OptionalLong.of(3);
    private boolean away;
    private final LeaseKeeper keeper = new LeaseKeeper(
            new Leadership() {
                @Override
                public OptionalLong lead(String holder) {
                    nanos += Duration.ofSeconds(2).toNanos();
                    if (away) {
                        throw new IllegalStateException("away");
                    }
                    return granted;
                }

                @Override
                public void resign(String holder) {
                    granted = OptionalLong.empty();
                }
            },
            "me",
            Duration.ofSeconds(10),
            () -> nanos);

    @Test
    void countsFromBeforeTheAskingAndStopsEarly() {
        Lease lease = keeper.lease(3);
        assertThat(lease.holds()).isFalse();
        assertThat(keeper.turn()).hasValue(3);
        assertThat(lease.holds()).isTrue();
        nanos = Duration.ofMillis(7400).toNanos();
        assertThat(lease.holds()).isTrue();
        nanos = Duration.ofMillis(7600).toNanos();
        assertThat(lease.holds()).isFalse();
    }

    @Test
    void aLeaseOfAnEarlierTermStaysOver() {
        Lease old = keeper.lease(3);
        keeper.turn();
        granted = OptionalLong.of(5);
        keeper.turn();
        assertThat(old.holds()).isFalse();
        assertThat(keeper.lease(5).holds()).isTrue();
    }

    @Test
    void aDatabaseThatDoesNotAnswerLetsItRunOut() {
        keeper.turn();
        away = true;
        assertThatThrownBy(keeper::turn).isInstanceOf(IllegalStateException.class);
        assertThat(keeper.lease(3).holds()).isTrue();
        nanos += Duration.ofSeconds(8).toNanos();
        assertThat(keeper.lease(3).holds()).isFalse();
    }

    @Test
    void whoResignsDoesNotLead() {
        keeper.turn();
        keeper.resign();
        assertThat(keeper.lease(3).holds()).isFalse();
        assertThat(keeper.turn()).isEmpty();
    }
}
