package dev.tutti.boot.clusters;

import dev.tutti.boot.loops.Cluster;
import dev.tutti.control.FleetBook;
import dev.tutti.kubernetes.KubernetesGateway;
import dev.tutti.kubernetes.KubernetesSettings;
import dev.tutti.model.ClusterId;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Connects to a real cluster by address, certificates and token. A kubeconfig is never read: it may name commands. */
final class RealCluster {

    private RealCluster() {}

    static Cluster connect(ClusterSettings settings, FleetBook fleet) {
        String name = settings.nameOr("main");
        if (settings.url() == null || settings.tokenFile() == null) {
            throw new IllegalStateException("tutti.cluster.url is set, but tutti.cluster.token-file is not: name the"
                    + " file that holds the token of Tutti's own account in that cluster");
        }
        ClusterId id = fleet.register(name, "kubernetes");
        KubernetesSettings connection = new KubernetesSettings(
                id,
                URI.create(settings.url()),
                text(settings.caFile(), "tutti.cluster.ca-file"),
                text(settings.tokenFile(), "tutti.cluster.token-file").strip(),
                settings.namespace());
        return new Cluster(name, KubernetesGateway.connect(connection));
    }

    private static String text(@Nullable Path file, String setting) {
        if (file == null) {
            return "";
        }
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new IllegalStateException(setting + " names " + file + ", which cannot be read", e);
        }
    }
}
