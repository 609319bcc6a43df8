package dev.tutti.model.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tutti.model.InvalidInput;
import dev.tutti.model.Violation;
import dev.tutti.model.fleet.NodeTraits;
import dev.tutti.model.fleet.Taint;
import dev.tutti.model.fleet.TaintEffect;
import dev.tutti.model.fleet.Toleration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Kubernetes' rules for taints and labels, case by case. */
class NodeRulesTest {

    @ParameterizedTest
    @CsvSource({
        "a, EQUAL, b, NO_SCHEDULE, true",
        "a, EQUAL, b, , true",
        "a, EQUAL, c, , false",
        "a, EQUAL, '', , false",
        "a, EQUAL, b, NO_EXECUTE, false",
        "a, EXISTS, '', NO_SCHEDULE, true",
        "a, EXISTS, '', NO_EXECUTE, false",
        "c, EXISTS, '', , false",
        ", EXISTS, '', , true",
        ", EXISTS, '', NO_SCHEDULE, true",
        ", EXISTS, '', PREFER_NO_SCHEDULE, false",
    })
    void aTolerationIsForTheTaintItNames(
            @Nullable String key,
            Toleration.Operator operator,
            String value,
            @Nullable TaintEffect effect,
            boolean does) {
        Toleration toleration = new Toleration(key, operator, value, effect);

        assertThat(toleration.tolerates(new Taint("a", "b", TaintEffect.NO_SCHEDULE)))
                .isEqualTo(does);
    }

    @Test
    void everyTaintThatBarsMustBeTolerated() {
        NodeTraits node = new NodeTraits(
                Map.of("pool", "x"),
                List.of(
                        new Taint("a", "1", TaintEffect.NO_SCHEDULE),
                        new Taint("b", "", TaintEffect.NO_EXECUTE),
                        new Taint("c", "", TaintEffect.PREFER_NO_SCHEDULE),
                        new Taint("nvidia.com/gpu", "present", TaintEffect.NO_SCHEDULE),
                        new Taint("node.kubernetes.io/not-ready", "", TaintEffect.NO_EXECUTE)));
        Toleration a = new Toleration("a", Toleration.Operator.EXISTS, "", null);
        Toleration b = new Toleration("b", Toleration.Operator.EQUAL, "", null);

        assertThat(node.bars()).extracting(Taint::key).containsExactly("a", "b");
        assertThat(new NodeRules(Map.of(), List.of(a, b)).admit(node)).isTrue();
        assertThat(new NodeRules(Map.of("pool", "x"), List.of(b, a)).admit(node))
                .isTrue();
        assertThat(new NodeRules(Map.of("pool", "y"), List.of(b, a)).admit(node))
                .isFalse();
        assertThat(new NodeRules(Map.of("pool", "x", "disk", ""), List.of(b, a)).admit(node))
                .isFalse();
        assertThat(new NodeRules(Map.of(), List.of(a)).admit(node)).isFalse();
        assertThat(NodeRules.NONE.admit(node)).isFalse();
        assertThat(NodeRules.NONE.admit(NodeTraits.NONE)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a",
                "A_b.c-9",
                "example.com/a",
                "a.b-c.example/x",
                "0",
                "kubernetes.io/hostname",
                "a23456789012345678901234567890123456789012345678901234567890123",
            })
    void keysAndValuesHaveTheFormOfKubernetes(String key) {
        assertThat(new NodeRules(Map.of(key, ""), List.of()).selector()).containsKey(key);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "/",
                "a/",
                "/a",
                "-a",
                "a-",
                "a b",
                "A.example/a",
                "a..b/c",
                "a/b/c",
                "ä",
                "a234567890123456789012345678901234567890123456789012345678901234",
            })
    void whatHasAnotherFormIsRefused(String key) {
        assertThatThrownBy(() -> new NodeRules(Map.of(key, "v"), List.of()))
                .isInstanceOfSatisfying(
                        InvalidInput.class,
                        invalid -> assertThat(invalid.violations())
                                .singleElement()
                                .extracting(Violation::field)
                                .isEqualTo("nodeSelector"));
        assertThatThrownBy(() -> new Toleration(key, Toleration.Operator.EXISTS, "", null))
                .isInstanceOfSatisfying(
                        InvalidInput.class,
                        invalid -> assertThat(invalid.violations())
                                .extracting(Violation::field)
                                .contains("key"));
    }
}
