package dev.tutti.boot.clusters;

import dev.tutti.boot.loops.Cluster;
import dev.tutti.control.FleetBook;
import dev.tutti.kubernetes.KubernetesGateway;
import dev.tutti.kubernetes.KubernetesSettings;
import dev.tutti.model.ClusterId;
import dev.tutti.model.InvalidInput;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.FailureAnalyzedException;

/** Connects to a real cluster by address, certificates and token. A kubeconfig is never read: it may name commands. */
final class RealCluster {

    private RealCluster() {}

    static Cluster connect(ClusterSettings settings, FleetBook fleet) {
        String name = settings.nameOr("main");
        if (settings.url() == null || settings.tokenFile() == null) {
            throw new FailureAnalyzedException(
                    "tutti.cluster.url is set, but tutti.cluster.token-file is not.",
                    "Name the file that holds the token of Tutti's own account in that cluster.");
        }
        String ca = text(settings.caFile(), "tutti.cluster.ca-file");
        String token = text(settings.tokenFile(), "tutti.cluster.token-file").strip();
        ClusterId id = fleet.register(name, "kubernetes");
        try {
            URI address = URI.create(settings.url());
            return new Cluster(
                    name,
                    KubernetesGateway.connect(new KubernetesSettings(id, address, ca, token, settings.namespace())));
        } catch (InvalidInput | IllegalArgumentException unfit) {
            throw new FailureAnalyzedException(
                    "The settings of tutti.cluster are unfit: " + unfit.getMessage(), "Correct what is named.", unfit);
        }
    }

    private static String text(@Nullable String file, String setting) {
        if (file == null) {
            return "";
        }
        try {
            return Files.readString(Path.of(file));
        } catch (IOException e) {
            throw new FailureAnalyzedException(
                    setting + " names " + file + ", which cannot be read.", "Name a file that this user may read.", e);
        }
    }
}
