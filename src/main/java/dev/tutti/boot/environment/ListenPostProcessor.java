package dev.tutti.boot.environment;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.commons.logging.Log;
import org.springframework.boot.EnvironmentPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.diagnostics.FailureAnalyzedException;
import org.springframework.boot.logging.DeferredLogFactory;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;
import org.springframework.util.StringUtils;

/**
 * Decides where the service listens. Without a first API key nobody can be told from anybody else, so then only this
 * machine may ask; an address that says otherwise is refused. The management port is the next one unless it is set.
 */
public final class ListenPostProcessor implements EnvironmentPostProcessor {

    private static final String SOURCE = "tuttiListen";
    private static final String LOOPBACK = "127.0.0.1";
    private static final int DEFAULT_PORT = 8080;
    private static final int LAST_PORT = 65_535;

    private final Log log;

    public ListenPostProcessor(DeferredLogFactory logs) {
        this.log = logs.getLog(ListenPostProcessor.class);
    }

    @Override
    public void postProcessEnvironment(ConfigurableEnvironment environment, SpringApplication application) {
        Map<String, Object> settings = new LinkedHashMap<>();
        boolean hasKey = StringUtils.hasText(environment.getProperty("TUTTI_API_KEY"))
                || StringUtils.hasText(environment.getProperty("tutti.api-key"));
        for (String name : new String[] {"server.address", "management.server.address"}) {
            String wish = environment.getProperty(name);
            if (hasKey) {
                continue;
            }
            if (wish == null || wish.isBlank()) {
                settings.put(name, LOOPBACK);
            } else if (!isLoopback(wish)) {
                throw new FailureAnalyzedException(
                        name + " is " + wish + ", but there is no API key, so anybody could command the fleet.",
                        "Set TUTTI_API_KEY to a long random text, or leave " + name + " away: this machine only.");
            }
        }
        log.info(
                hasKey
                        ? "TUTTI_API_KEY is set: listening on every address unless server.address names one"
                        : "No TUTTI_API_KEY is set: listening on " + LOOPBACK + " only, for callers on this machine");
        int port = port(environment.getProperty("server.port", String.valueOf(DEFAULT_PORT)));
        settings.put("management.server.port", port <= 0 || port == LAST_PORT ? 0 : port + 1);
        // Last, so that a setting given anywhere wins.
        environment.getPropertySources().addLast(new MapPropertySource(SOURCE, settings));
    }

    /** A port; 0 is any free one, -1 is none. */
    private static int port(String text) {
        try {
            int port = Integer.parseInt(text.strip());
            if (port >= -1 && port <= LAST_PORT) {
                return port;
            }
        } catch (NumberFormatException notANumber) {
            // Told below, like a number that is no port.
        }
        throw new FailureAnalyzedException(
                "\"" + text + "\" is not a port.",
                "Set SERVER_PORT (or server.port) to a number from 1 to " + LAST_PORT + ".");
    }

    private static boolean isLoopback(String address) {
        try {
            return InetAddress.getByName(address).isLoopbackAddress();
        } catch (UnknownHostException e) {
            return false;
        }
    }
}
