package dev.tutti.boot;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tutti.control.Identities;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.springframework.boot.diagnostics.FailureAnalyzedException;

/** A wrong setting is told in a sentence, never by a stack trace. */
class WrongSettingTest {

    @Test
    void aKeyThatCouldBeGuessedIsRefusedAndNotShown() {
        assertThatThrownBy(() -> new FirstKey(new Nobody(), "guess-me").afterSingletonsInstantiated())
                .isInstanceOf(FailureAnalyzedException.class)
                .hasMessage("TUTTI_API_KEY has 8 characters, too few to be safe.");
    }

    private static final class Nobody implements Identities {

        @Override
        public Optional<Identity> byKeyHash(String sha256) {
            return Optional.empty();
        }

        @Override
        public void ensure(String name, Role role, String sha256) {
            throw new AssertionError("a key that could be guessed became known");
        }
    }
}
