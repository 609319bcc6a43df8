package dev.tutti.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tutti.model.ClusterId;
import dev.tutti.model.InvalidInput;
import java.net.URI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A cluster is reached by address, certificates and token, and by nothing that could do more. */
class KubernetesSettingsTest {

    @ParameterizedTest
    @ValueSource(
            strings = {"https://10.0.0.1:6443", "https://rancher.example/k8s/clusters/c-1/", "http://127.0.0.1:8001"})
    void fitAddresses(String url) {
        assertThat(settings(url, "t", "jobs").base()).doesNotEndWith("/");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://10.0.0.1",
                "file:///etc/passwd",
                "https://user:pw@host",
                "https://host?x=1",
                "https://host#x",
                "host",
                "https:///x"
            })
    void unfitAddresses(String url) {
        assertThatThrownBy(() -> settings(url, "t", "jobs"))
                .isInstanceOf(InvalidInput.class)
                .hasMessageContaining("url");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a b", "a\nb", "gehe\u00edm"})
    void unfitTokensAreNamedAndNotRepeated(String token) {
        assertThatThrownBy(() -> settings("https://h", token, "jobs"))
                .isInstanceOf(InvalidInput.class)
                .hasMessage("token: give a bearer token: visible characters without spaces");
    }

    @Test
    void certificatesMustBeCertificates() {
        assertThatThrownBy(
                        () -> new KubernetesSettings(new ClusterId(1), URI.create("https://h"), "no PEM", "t", "jobs"))
                .isInstanceOf(InvalidInput.class)
                .hasMessageContaining("caPem");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "../x", "A", "a/b"})
    void namespacesAreDnsLabels(String namespace) {
        assertThatThrownBy(() -> settings("https://h", "t", namespace)).hasMessageContaining("namespace");
    }

    @Test
    void theTokenIsNeverShown() {
        assertThat(settings("https://h", "very-secret", "jobs").toString()).doesNotContain("very-secret");
    }

    private static KubernetesSettings settings(String url, String token, String namespace) {
        return new KubernetesSettings(new ClusterId(1), URI.create(url), "", token, namespace);
    }
}
