package dev.tutti.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PodNameTest {

    private static final JobId JOB = new JobId(UUID.fromString("ffffffff-0123-4567-89ab-cdef01234567"));

    @Test
    void isADnsLabelThatIsReadBackAsItself() {
        String name = PodName.of(JOB, 999_999_999, 319_999);
        assertThat(Names.isDnsLabel(name)).isTrue();
        assertThat(PodName.parse(name)).contains(new PodName(JOB, 999_999_999, 319_999));
        assertThat(PodName.parse(PodName.of(JOB, 1, 0))).contains(new PodName(JOB, 1, 0));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "nginx",
                "tutti-ffffffff0123456789abcdef01234567-0-0",
                "tutti-ffffffff0123456789abcdef01234567-01-0",
                "tutti-ffffffff0123456789abcdef01234567-1-00",
                "tutti-ffffffff0123456789abcdef01234567-1",
                "tutti-ffffffff0123456789abcdef0123456-1-0",
                "tutti-FFFFFFFF0123456789abcdef01234567-1-0",
                "tutti-ffffffff0123456789abcdef01234567-99999999999-0"
            })
    void anyOtherNameIsNobodys(String name) {
        assertThat(PodName.parse(name)).isEmpty();
    }
}
