package dev.tutti.testkit.envtest;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;

/** Finds TCP ports on loopback that nobody listens on now; another process may still take one before its use. */
final class FreePort {

    private FreePort() {}

    static int find() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
