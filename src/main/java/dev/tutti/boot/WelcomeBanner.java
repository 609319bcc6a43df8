package dev.tutti.boot;

import java.io.PrintStream;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.core.env.Environment;
import org.springframework.stereotype.Component;

/** Says, when the service answers, where to look and what to type first. Prints no key. */
@Component
final class WelcomeBanner implements ApplicationListener<ApplicationReadyEvent> {

    private final Environment environment;

    WelcomeBanner(Environment environment) {
        this.environment = environment;
    }

    @Override
    public void onApplicationEvent(ApplicationReadyEvent event) {
        if (event.getApplicationContext() instanceof WebServerApplicationContext context
                && context.getWebServer() != null
                && environment.getProperty("tutti.welcome", Boolean.class, true)) {
            boolean keyed = !environment.getProperty("tutti.api-key", "").isEmpty();
            print(System.out, "http://localhost:" + context.getWebServer().getPort(), keyed ? "$TUTTI_API_KEY" : "");
        }
    }

    private static void print(PrintStream out, String base, String key) {
        out.println();
        out.println("Tutti is up. Swagger UI: " + base + "/swagger-ui.html");
        out.println("Try, in one shell:");
        out.println();
        FirstSteps.lines(base, key).forEach(line -> out.println("  " + line));
        out.println();
        out.flush();
    }
}
