package dev.tutti;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MainClassTest {

    @Test
    void theMainClassIsWhereTheJarLooksForIt() throws Exception {
        assertThat(Class.forName("dev.tutti.Tutti").getMethod("main", String[].class))
                .isNotNull();
    }
}
