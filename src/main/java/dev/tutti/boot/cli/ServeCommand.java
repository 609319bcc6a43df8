package dev.tutti.boot.cli;

import dev.tutti.boot.environment.FreePorts;
import dev.tutti.boot.environment.KnownSettings;
import dev.tutti.boot.postgres.EmbeddedDatabase;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.springframework.boot.SpringApplication;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Unmatched;

/** Starts the service and leaves it running; {@code --name=value} arguments are settings of the service. */
@Command(
        name = "serve",
        description = "Start the service. --name=value sets any setting, for example --server.port=9000.")
final class ServeCommand implements Callable<Integer> {

    private final Class<?> application;

    @Mixin
    private HelpOption help = new HelpOption();

    @Unmatched
    private List<String> settings = new ArrayList<>();

    ServeCommand(Class<?> application) {
        this.application = application;
    }

    @Override
    public Integer call() {
        return serve(settings);
    }

    /** 0 when the service is up, 1 when it could not start; the reason has then been logged. */
    int serve(List<String> settings) {
        // Spring's own hook would wait for the start to end before it stops what has started.
        SpringApplication service = new SpringApplication(application);
        service.setRegisterShutdownHook(false);
        service.addListeners(new KnownSettings());
        service.addInitializers(new FreePorts());
        try (Stopping stopping = Stopping.on("stopped by a signal while starting", EmbeddedDatabase::stopAllNow)) {
            service.run(settings.toArray(String[]::new)).registerShutdownHook();
            return 0;
        } catch (RuntimeException alreadyReported) {
            return 1;
        }
    }
}
