package dev.tutti.boot.cli.replay;

import dev.tutti.boot.cli.HelpOption;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Groups the workloads that can be replayed. */
@Command(name = "replay", description = "Play a recorded workload through the API of a service started for it.")
public final class ReplayCommand {

    @Mixin
    private HelpOption help = new HelpOption();

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
