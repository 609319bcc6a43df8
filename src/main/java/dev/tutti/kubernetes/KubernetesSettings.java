package dev.tutti.kubernetes;

import dev.tutti.model.ClusterId;
import dev.tutti.model.InvalidInput;
import dev.tutti.model.Names;
import dev.tutti.model.Violation;
import java.io.ByteArrayInputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * How to reach one cluster: an address, a certificate authority and a token. Never a kubeconfig, because a kubeconfig
 * can name a command to execute. Decides what is a fit address; does not try it.
 *
 * @param cluster the cluster this is
 * @param url base address of the API server; {@code https}, or {@code http} on loopback; a path is kept, as gateways
 *     in front of several clusters need one
 * @param caPem certificates to trust, in PEM; empty means those the JVM trusts
 * @param token bearer token of the service's own account; never shown
 * @param namespace the one namespace Tutti makes pods in
 * @param connectTimeout limit for opening a connection, up to one minute
 * @param requestTimeout limit for one whole call, up to one minute
 */
public record KubernetesSettings(
        ClusterId cluster,
        URI url,
        String caPem,
        String token,
        String namespace,
        Duration connectTimeout,
        Duration requestTimeout) {

    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(3);
    private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(10);
    private static final Duration LONGEST = Duration.ofMinutes(1);
    private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");
    private static final int TOKEN_LENGTH = 16_384;

    /** @throws InvalidInput naming every field that is unfit; the token itself is never repeated */
    public KubernetesSettings {
        List<Violation> found = new ArrayList<>();
        check(found, isFit(url), "url", "give an https address without user, query and fragment");
        check(found, caPem.isBlank() || isCertificates(caPem), "caPem", "give certificates in PEM");
        check(found, isToken(token), "token", "give a bearer token: visible characters without spaces");
        check(found, Names.isDnsLabel(namespace), "namespace", "give a DNS label such as tutti-jobs");
        check(found, isFit(connectTimeout), "connectTimeout", "give a time of up to a minute");
        check(found, isFit(requestTimeout), "requestTimeout", "give a time of up to a minute");
        if (!found.isEmpty()) {
            throw new InvalidInput(found);
        }
    }

    /** The same with the usual time limits: 3 s to connect, 10 s for a call. */
    public KubernetesSettings(ClusterId cluster, URI url, String caPem, String token, String namespace) {
        this(cluster, url, caPem, token, namespace, CONNECT_TIMEOUT, REQUEST_TIMEOUT);
    }

    /** The address without a slash at its end. */
    String base() {
        String text = url.toString();
        return text.endsWith("/") ? text.substring(0, text.length() - 1) : text;
    }

    @Override
    public String toString() {
        return "KubernetesSettings[cluster=" + cluster + ", url=" + url + ", namespace=" + namespace + "]";
    }

    private static void check(List<Violation> found, boolean holds, String field, String message) {
        if (!holds) {
            found.add(new Violation(field, message));
        }
    }

    private static boolean isFit(URI url) {
        String scheme = url.getScheme() == null ? "" : url.getScheme().toLowerCase(Locale.ROOT);
        boolean safe = scheme.equals("https") || (scheme.equals("http") && LOOPBACK.contains(url.getHost()));
        return safe
                && url.getHost() != null
                && url.getRawUserInfo() == null
                && url.getRawQuery() == null
                && url.getRawFragment() == null;
    }

    private static boolean isCertificates(String pem) {
        try {
            return !CertificateFactory.getInstance("X.509")
                    .generateCertificates(new ByteArrayInputStream(pem.getBytes(StandardCharsets.UTF_8)))
                    .isEmpty();
        } catch (CertificateException e) {
            return false;
        }
    }

    private static boolean isToken(String token) {
        return !token.isEmpty()
                && token.length() <= TOKEN_LENGTH
                && token.chars().allMatch(c -> c > ' ' && c < 127);
    }

    private static boolean isFit(Duration limit) {
        return limit.compareTo(Duration.ofMillis(1)) >= 0 && limit.compareTo(LONGEST) <= 0;
    }
}
