package dev.tutti.kubernetes;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A piece of network between a client and a server on loopback that a test can cut, or fill with silence. */
final class TcpRelay implements AutoCloseable {

    private static final int BUFFER = 16_384;

    private final URI target;
    private final ServerSocket entrance;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private final Set<Socket> swallowed = ConcurrentHashMap.newKeySet();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private volatile boolean cut;

    TcpRelay(String targetUrl) {
        target = URI.create(targetUrl);
        try {
            entrance = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        threads.submit(this::accept);
    }

    /** The target's address by way of this relay. */
    URI url() {
        return URI.create(target.getScheme() + "://127.0.0.1:" + entrance.getLocalPort());
    }

    /** Connections end, and new ones end at once. */
    void cut() {
        cut = true;
        sockets.forEach(TcpRelay::close);
    }

    /** The connections of now stay open, and nothing passes on them any more; new ones work. */
    void swallow() {
        swallowed.addAll(sockets);
    }

    /** New connections work again. */
    void mend() {
        cut = false;
    }

    private void accept() {
        while (!entrance.isClosed()) {
            try {
                Socket client = entrance.accept();
                if (cut) {
                    close(client);
                } else {
                    connect(client);
                }
            } catch (IOException e) {
                if (!entrance.isClosed()) {
                    throw new UncheckedIOException(e);
                }
            }
        }
    }

    private void connect(Socket client) throws IOException {
        Socket server = new Socket(target.getHost(), target.getPort());
        sockets.add(client);
        sockets.add(server);
        threads.submit(() -> pump(client, server));
        threads.submit(() -> pump(server, client));
    }

    private void pump(Socket from, Socket to) {
        byte[] buffer = new byte[BUFFER];
        try {
            InputStream in = from.getInputStream();
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                if (!swallowed.contains(from)) {
                    to.getOutputStream().write(buffer, 0, read);
                }
            }
        } catch (IOException e) {
            // One side is gone; so is the other, below.
        } finally {
            close(from);
            close(to);
        }
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // Gone is gone.
        }
    }

    @Override
    public void close() {
        try {
            entrance.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        cut();
        threads.shutdownNow();
    }
}
