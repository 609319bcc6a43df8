package dev.tutti.testkit.envtest;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.testcontainers.DockerClientFactory;

/**
 * Finds a real API server for tests: the programs in the folder {@code KUBEBUILDER_ASSETS}; else K3s in a container,
 * where Docker answers; else none, which it says loudly, because a suite that skipped its hardest part must not look
 * like one that passed it.
 */
public final class ApiServers {

    /** The standard variable that names the folder with kube-apiserver, etcd and kubectl. */
    public static final String ASSETS_VARIABLE = "KUBEBUILDER_ASSETS";

    private static final List<String> PROGRAMS = List.of("kube-apiserver", "etcd");

    private static final String BANNER = """

            ****************************************************************************
            *  ran without a real API server: KUBEBUILDER_ASSETS is not set and no     *
            *  Docker answers. The tests that need one were SKIPPED, not passed.       *
            *  Remedy:  export KUBEBUILDER_ASSETS="$(.ci/envtest)"                     *
            ****************************************************************************
            """;

    private ApiServers() {}

    /**
     * Starts a new server, which the caller closes; empty when this machine has none.
     *
     * @throws IllegalStateException when the folder is named but incomplete, or the server does not become ready
     */
    public static Optional<ApiServer> find() {
        Optional<ApiServer> found =
                assets().<ApiServer>map(LocalApiServer::start).or(ApiServers::container);
        if (found.isEmpty()) {
            System.err.println(BANNER);
        }
        return found;
    }

    /**
     * One server for all test classes of this JVM, started at the first call and stopped when the JVM ends. Callers
     * must not close it, and keep apart by namespaces and node names of their own.
     */
    public static Optional<ApiServer> shared() {
        return Shared.SERVER;
    }

    /** The folder with the server programs; empty when the variable is not set. */
    public static Optional<Path> assets() {
        return assets(System.getenv(ASSETS_VARIABLE));
    }

    static Optional<Path> assets(@Nullable String folder) {
        if (folder == null || folder.isBlank()) {
            return Optional.empty();
        }
        Path path = Path.of(folder).toAbsolutePath();
        PROGRAMS.stream()
                .filter(program -> !Files.isExecutable(path.resolve(program)))
                .findFirst()
                .ifPresent(missing -> {
                    throw new IllegalStateException(ASSETS_VARIABLE + "=" + folder + " has no program " + missing);
                });
        return Optional.of(path);
    }

    private static Optional<ApiServer> container() {
        boolean docker = DockerClientFactory.instance().isDockerAvailable();
        return docker ? Optional.of(K3sApiServer.start()) : Optional.empty();
    }

    private static final class Shared {
        private static final Optional<ApiServer> SERVER = find();
    }
}
