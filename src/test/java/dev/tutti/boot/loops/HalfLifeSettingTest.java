package dev.tutti.boot.loops;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.diagnostics.FailureAnalyzedException;

class HalfLifeSettingTest {

    @ParameterizedTest
    @ValueSource(strings = {"0", "600", " 86400 ", "2592000"})
    void wholeSecondsAreTaken(String seconds) {
        assertThat(new HalfLifeSetting(seconds).halfLife().seconds()).isEqualTo(Long.parseLong(seconds.strip()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-1", "1", "599", "2592001", "99999999", "1d", "3600.5"})
    void anythingElseEndsTheStartAndTellsTheBounds(String seconds) {
        assertThatThrownBy(() -> new HalfLifeSetting(seconds))
                .isInstanceOfSatisfying(FailureAnalyzedException.class, failure -> {
                    assertThat(failure.analysis().getDescription())
                            .isEqualTo("tutti.fair-share.half-life-seconds is \"" + seconds
                                    + "\", which is no half-life.");
                    assertThat(failure.analysis().getAction())
                            .isEqualTo("Give whole seconds from 600 to 2592000, or 0 to forget at once.");
                });
    }
}
