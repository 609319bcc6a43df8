package dev.tutti.boot.cli.experiment;

import dev.tutti.boot.cli.HelpOption;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Groups the experiments that can be repeated. */
@Command(
        name = "experiment",
        description = "Measure how well and how fast pods are placed, without a service and a database.")
public final class ExperimentCommand {

    @Mixin
    private HelpOption help = new HelpOption();

    private ExperimentCommand() {}

    /** The command with its subcommands. */
    public static CommandLine create() {
        return new CommandLine(new ExperimentCommand())
                .addSubcommand(new OpenbCommand())
                .addSubcommand(new GangsCommand())
                .addSubcommand(new PhillyCommand())
                .addSubcommand(new QueuesCommand());
    }
}
