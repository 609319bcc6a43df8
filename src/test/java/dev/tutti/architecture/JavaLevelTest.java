package dev.tutti.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.Tutti;
import java.io.DataInputStream;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** The compiled classes run on Java 17. */
class JavaLevelTest {

    private static final int JAVA_17 = 61;

    @Test
    void theClassFilesAreOfJava17() throws IOException {
        try (DataInputStream file = new DataInputStream(Tutti.class.getResourceAsStream("Tutti.class"))) {
            assertThat(file.readInt()).isEqualTo(0xCAFEBABE);
            assertThat(file.readUnsignedShort()).as("no preview features").isZero();
            assertThat(file.readUnsignedShort()).isEqualTo(JAVA_17);
        }
    }
}
