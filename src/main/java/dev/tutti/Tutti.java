package dev.tutti;

import dev.tutti.boot.cli.TuttiCommand;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurationExcludeFilter;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.context.TypeExcludeFilter;
import org.springframework.context.annotation.ComponentScan;
import org.springframework.context.annotation.FilterType;

/** The main class. It decides nothing: the command line does, and without arguments that is to serve. */
@SpringBootConfiguration
@EnableAutoConfiguration
@ComponentScan(
        excludeFilters = {
            @ComponentScan.Filter(type = FilterType.CUSTOM, classes = TypeExcludeFilter.class),
            @ComponentScan.Filter(type = FilterType.CUSTOM, classes = AutoConfigurationExcludeFilter.class),
            // A door that needs ports is imported where they are provided.
            @ComponentScan.Filter(type = FilterType.REGEX, pattern = "dev\\.tutti\\.web\\..*")
        })
public class Tutti {

    /** Runs one command; ends the process with its exit code unless it is 0 (a service then goes on running). */
    public static void main(String[] arguments) {
        int exitCode = TuttiCommand.execute(Tutti.class, arguments);
        if (exitCode != 0) {
            System.exit(exitCode);
        }
    }
}
