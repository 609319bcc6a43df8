package dev.tutti.testkit.envtest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A folder that was named but is of no use is an error, never a reason to skip. */
final class ApiServersTest {

    @TempDir
    private Path folder;

    @Test
    void noNameMeansNoServer() {
        assertThat(ApiServers.assets(null)).isEmpty();
        assertThat(ApiServers.assets(" ")).isEmpty();
    }

    @Test
    void anIncompleteFolderIsAnError() {
        assertThatIllegalStateException()
                .isThrownBy(() -> ApiServers.assets(folder.toString()))
                .withMessageContaining("kube-apiserver");
    }
}
