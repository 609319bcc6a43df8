package dev.tutti.boot.environment;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.FailureAnalyzedException;
import org.springframework.boot.web.server.context.ConfigurableWebServerApplicationContext;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.Environment;

/**
 * Refuses to start on a port that cannot be had, before a database is made for nothing. Between this look and the real
 * listening somebody else may take the port; then the server says so itself.
 */
public final class FreePorts implements ApplicationContextInitializer<ConfigurableApplicationContext> {

    private static final int LAST_PORT = 65_535;

    @Override
    public void initialize(ConfigurableApplicationContext context) {
        if (context instanceof ConfigurableWebServerApplicationContext) {
            check(context.getEnvironment(), "server");
            check(context.getEnvironment(), "management.server");
        }
    }

    private static void check(Environment environment, String server) {
        String port = environment.getProperty(server + ".port", "").strip();
        // What is no port is refused by who reads it; 0 is any free one.
        if (port.matches("[1-9]\\d{0,4}") && Integer.parseInt(port) <= LAST_PORT) {
            tryToListen(server, environment.getProperty(server + ".address"), Integer.parseInt(port));
        }
    }

    private static void tryToListen(String server, @Nullable String address, int port) {
        boolean everywhere = address == null || address.isBlank();
        try (ServerSocket socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(everywhere ? new InetSocketAddress(port) : new InetSocketAddress(address, port));
        } catch (IOException taken) {
            throw new FailureAnalyzedException(
                    "Port " + port + (everywhere ? "" : " of " + address) + " cannot be had: " + taken.getMessage()
                            + ".",
                    "Stop what listens there, or give " + server + ".port another number"
                            + (server.equals("server") ? " (SERVER_PORT); 0 is any free one." : "; 0 is any free one."),
                    taken);
        }
    }
}
