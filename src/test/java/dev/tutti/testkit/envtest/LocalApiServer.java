package dev.tutti.testkit.envtest;

import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * etcd and kube-apiserver as processes of this machine, on free loopback ports, with all files in one temporary folder.
 * The server makes its own certificate authority and serving certificate; the rest is made here by the JDK, so the
 * machine needs no openssl.
 */
final class LocalApiServer implements ApiServer {

    private static final int START_TRIES = 3;

    private final ServerFolder folder;
    private final Commands commands;
    private final Tokens tokens = Tokens.random();
    private final ServiceAccountKeys keys;
    private final List<ServerProcess> processes = new ArrayList<>();
    private final Thread atExit = new Thread(this::stop, "envtest-stop");
    private final String url;
    private boolean stopped;

    /** Starts a server and waits until it is ready; a port that was taken in between is worth another try. */
    static LocalApiServer start(Path assets) {
        List<String> failures = new ArrayList<>();
        for (int attempt = 1; attempt <= START_TRIES; attempt++) {
            try {
                return new LocalApiServer(assets);
            } catch (IOException e) {
                throw new UncheckedIOException("cannot start an API server from " + assets, e);
            } catch (NotReadyException e) {
                failures.add(e.getMessage());
            }
        }
        throw new IllegalStateException("the API server did not become ready:\n" + String.join("\n", failures));
    }

    private LocalApiServer(Path assets) throws IOException {
        folder = ServerFolder.create();
        commands = new Commands(assets, folder);
        Runtime.getRuntime().addShutdownHook(atExit);
        int port = FreePort.find();
        url = "https://" + Commands.LOOPBACK + ":" + port;
        try {
            keys = ServiceAccountKeys.create(folder.path());
            startServers(port);
            new Readiness(processes).await(url, this::caPem, tokens.admin());
        } catch (IOException | RuntimeException e) {
            close();
            throw e;
        }
    }

    private void startServers(int port) throws IOException {
        int etcdPort = FreePort.find();
        Path tokenFile = folder.write("tokens.csv", tokens.csv());
        launch("etcd", commands.etcd(etcdPort, FreePort.find()));
        launch("kube-apiserver", commands.apiServer(port, etcdPort, tokenFile, keys));
    }

    @Override
    public void startControllers() {
        try {
            Path kubeconfig = folder.write("kubeconfig", kubeconfig(tokens.admin()));
            launch("kube-controller-manager", commands.controllerManager(FreePort.find(), kubeconfig, keys));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot start kube-controller-manager", e);
        }
    }

    private void launch(String name, List<String> command) throws IOException {
        processes.add(ServerProcess.start(name, folder.path(), command));
    }

    List<ServerProcess> processes() {
        return List.copyOf(processes);
    }

    Path folder() {
        return folder.path();
    }

    @Override
    public String url() {
        return url;
    }

    /** The server writes its own authority behind its serving certificate, in one file. */
    @Override
    public String caPem() {
        try {
            return Files.readString(folder.file("certificates").resolve("apiserver.crt"));
        } catch (IOException e) {
            throw new UncheckedIOException("the API server has not written its certificate", e);
        }
    }

    @Override
    public String adminToken() {
        return tokens.admin();
    }

    @Override
    public String tuttiToken() {
        return tokens.tutti();
    }

    @Override
    public String description() {
        try (KubernetesClient admin = adminClient()) {
            return "kube-apiserver " + admin.getKubernetesVersion().getGitVersion();
        }
    }

    @Override
    public void close() {
        stop();
        try {
            Runtime.getRuntime().removeShutdownHook(atExit);
        } catch (IllegalStateException e) {
            // The JVM is ending, and the hook itself does this work.
        }
    }

    private synchronized void stop() {
        if (stopped) {
            return;
        }
        stopped = true;
        Collections.reverse(processes);
        processes.forEach(ServerProcess::close);
        folder.close();
    }
}
