package dev.tutti.kubernetes;

import io.fabric8.kubernetes.client.vertx5.Vertx5HttpClientFactory;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.WebSocketClientOptions;
import io.vertx.ext.web.client.WebClientOptions;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * HTTP whose watches notice that their network swallows everything. The client pings, but does not miss the answers; a
 * connection on which nothing at all was read, not even the answer to a ping, is closed here.
 */
final class LivelyHttp extends Vertx5HttpClientFactory {

    /** Time between two pings. */
    static final Duration PING = Duration.ofSeconds(5);

    private static final Duration DEAD = PING.multipliedBy(3);

    @Override
    protected void additionalConfig(WebClientOptions http, WebSocketClientOptions watches, PoolOptions pool) {
        watches.setIdleTimeoutUnit(TimeUnit.MILLISECONDS).setReadIdleTimeout(Math.toIntExact(DEAD.toMillis()));
    }
}
