package dev.tutti.boot.cli.replay;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/** Groups the workloads that can be replayed. */
@Command(name = "replay", description = "Play a recorded workload through the API of a service started for it.")
public final class ReplayCommand {

    private ReplayCommand() {}

    /**
     * The command with its subcommands.
     *
     * @param application the class whose package is searched for the service's parts
     */
    public static CommandLine of(Class<?> application) {
        return new CommandLine(new ReplayCommand()).addSubcommand(new OpenbCommand(application));
    }
}
