package dev.tutti.model.job;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tutti.model.InvalidInput;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PodTemplateTest {

    @ParameterizedTest
    @ValueSource(strings = {"a\0b", "\uD83D", "x\uDE80"})
    void aTextThatCannotBeStoredIsRefusedWithItsField(String text) {
        assertThatThrownBy(() -> new PodTemplate("busybox", List.of(), List.of("fine", text), Map.of()))
                .isInstanceOf(InvalidInput.class)
                .hasMessageContaining("template.args[1]");
        assertThatThrownBy(() -> new PodTemplate("busybox", List.of(), List.of(), Map.of("A", text)))
                .isInstanceOf(InvalidInput.class)
                .hasMessageContaining("template.env.A");
    }

    @Test
    void anyOtherTextIsTaken() {
        assertThatCode(() -> new PodTemplate("busybox", List.of("sh"), List.of("中文 🚀\n\t"), Map.of("A", "")))
                .doesNotThrowAnyException();
    }
}
