package dev.tutti.boot.loops;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tutti.allocator.policy.Policies;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.diagnostics.FailureAnalyzedException;

class PolicySettingTest {

    static Iterable<String> names() {
        return Policies.names();
    }

    @ParameterizedTest
    @MethodSource("names")
    void everyPolicyIsFoundByItsName(String name) {
        assertThat(new PolicySetting(name + " ").policy().name()).isEqualTo(name);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "bestfit", "Shadow-Price", "random"})
    void anyOtherNameEndsTheStartAndTellsTheNamesThereAre(String name) {
        assertThatThrownBy(() -> new PolicySetting(name).policy())
                .isInstanceOfSatisfying(FailureAnalyzedException.class, failure -> {
                    assertThat(failure.analysis().getDescription())
                            .isEqualTo("tutti.policy is \"" + name + "\", which is no policy.");
                    assertThat(failure.analysis().getAction())
                            .isEqualTo("Give one of shadow-price, best-fit, fragmentation, spread.");
                });
    }
}
