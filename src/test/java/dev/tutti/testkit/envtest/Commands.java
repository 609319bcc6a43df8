package dev.tutti.testkit.envtest;

import java.nio.file.Path;
import java.util.List;

/** The command lines of the servers: everything on loopback, nothing shared with another test server. */
record Commands(Path assets, ServerFolder folder) {

    static final String LOOPBACK = "127.0.0.1";

    List<String> etcd(int clientPort, int peerPort) {
        String client = "http://" + LOOPBACK + ":" + clientPort;
        String peer = "http://" + LOOPBACK + ":" + peerPort;
        return List.of(
                program("etcd"),
                "--name=envtest",
                "--data-dir=" + folder.file("etcd"),
                "--listen-client-urls=" + client,
                "--advertise-client-urls=" + client,
                "--listen-peer-urls=" + peer,
                "--initial-advertise-peer-urls=" + peer,
                "--initial-cluster=envtest=" + peer,
                // Test data need not survive a power cut, and with fsync every write waits for the disk.
                "--unsafe-no-fsync");
    }

    List<String> apiServer(int port, int etcdPort, Path tokens, ServiceAccountKeys keys) {
        return List.of(
                program("kube-apiserver"),
                "--etcd-servers=http://" + LOOPBACK + ":" + etcdPort,
                "--bind-address=" + LOOPBACK,
                "--advertise-address=" + LOOPBACK,
                "--secure-port=" + port,
                "--cert-dir=" + folder.file("certificates"),
                "--token-auth-file=" + tokens,
                "--authorization-mode=Node,RBAC",
                "--service-account-issuer=https://kubernetes.default.svc.cluster.local",
                "--service-account-key-file=" + keys.publicKey(),
                "--service-account-signing-key-file=" + keys.privateKey(),
                "--service-cluster-ip-range=10.96.0.0/16",
                // Nobody reaches this server by a service address; the reconciler refuses a loopback address.
                "--endpoint-reconciler-type=none",
                // Else a pod needs the default account that only kube-controller-manager creates.
                "--disable-admission-plugins=ServiceAccount",
                "--allow-privileged=true",
                "--profiling=false");
    }

    List<String> controllerManager(int port, Path kubeconfig, ServiceAccountKeys keys) {
        return List.of(
                program("kube-controller-manager"),
                "--kubeconfig=" + kubeconfig,
                "--authentication-kubeconfig=" + kubeconfig,
                "--authorization-kubeconfig=" + kubeconfig,
                "--bind-address=" + LOOPBACK,
                "--secure-port=" + port,
                "--cert-dir=" + folder.file("controller-certificates"),
                "--service-account-private-key-file=" + keys.privateKey(),
                "--leader-elect=false");
    }

    private String program(String name) {
        return assets.resolve(name).toString();
    }
}
