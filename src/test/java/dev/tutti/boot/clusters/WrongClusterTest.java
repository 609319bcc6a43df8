package dev.tutti.boot.clusters;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tutti.control.FleetBook;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import org.assertj.core.api.AbstractThrowableAssert;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.diagnostics.FailureAnalyzedException;

/** A wrong setting of a cluster is told in a sentence, never by a stack trace. */
class WrongClusterTest {

    /** A cluster whose settings are wrong is not registered. */
    private static final FleetBook UNTOUCHED = (FleetBook) Proxy.newProxyInstance(
            FleetBook.class.getClassLoader(), new Class<?>[] {FleetBook.class}, (book, method, arguments) -> {
                throw new AssertionError(method + " was called");
            });

    @TempDir
    Path folder;

    @Test
    void aFleetThatIsNotThereIsNamedAndTheRightOnesListed() {
        assertRefused(() -> new ClusterConfiguration.Simulated().simulatedMachines(folder.toString(), "nope"))
                .hasMessageContaining("There is no fleet \"nope\". Give default, 10k, 100k");
    }

    @Test
    void aTokenThatCannotBeReadIsNamed() {
        Path missing = folder.resolve("token");
        assertRefused(() -> RealCluster.connect(
                        new ClusterSettings(null, "https://localhost:1", null, missing.toString(), "tutti-jobs"),
                        UNTOUCHED))
                .hasMessage("tutti.cluster.token-file names " + missing + ", which cannot be read.");
    }

    private static AbstractThrowableAssert<?, ?> assertRefused(ThrowingCallable start) {
        return assertThatThrownBy(start).isInstanceOf(FailureAnalyzedException.class);
    }
}
