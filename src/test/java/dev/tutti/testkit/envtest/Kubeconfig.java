package dev.tutti.testkit.envtest;

/** Writes the one-cluster, one-user document that kubectl and kube-controller-manager read. */
final class Kubeconfig {

    private Kubeconfig() {}

    static String document(String url, String caPem, String token) {
        return """
                apiVersion: v1
                kind: Config
                current-context: envtest
                clusters:
                - name: envtest
                  cluster: {server: "%s", certificate-authority-data: "%s"}
                users:
                - name: envtest
                  user: {token: "%s"}
                contexts:
                - name: envtest
                  context: {cluster: envtest, user: envtest}
                """.formatted(url, Clients.base64(caPem), token);
    }
}
