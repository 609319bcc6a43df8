package dev.tutti;

import dev.tutti.boot.cli.TuttiCommand;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** The main class. It decides nothing: the command line does, and without arguments that is to serve. */
@SpringBootApplication
public class Tutti {

    /** Runs one command; ends the process with its exit code unless it is 0 (a service then goes on running). */
    public static void main(String[] arguments) {
        int exitCode = TuttiCommand.execute(Tutti.class, arguments);
        if (exitCode != 0) {
            System.exit(exitCode);
        }
    }
}
