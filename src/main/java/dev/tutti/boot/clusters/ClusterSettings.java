package dev.tutti.boot.clusters;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Which cluster Tutti binds to. With a {@code url} it is a real one, without it the simulated one.
 *
 * @param name its name in the API; each name is one cluster for ever
 * @param url address of the API server
 * @param caFile file with the certificates to trust, in PEM; null means those the JVM trusts
 * @param tokenFile file with the bearer token of the service's own account
 * @param namespace the namespace Tutti makes pods in
 */
@ConfigurationProperties("tutti.cluster")
record ClusterSettings(
        @Nullable String name,
        @Nullable String url,
        @Nullable String caFile,
        @Nullable String tokenFile,
        @DefaultValue("tutti-jobs") String namespace) {

    boolean isReal() {
        return url != null && !url.isBlank();
    }

    String nameOr(String otherwise) {
        return name == null || name.isBlank() ? otherwise : name;
    }
}
