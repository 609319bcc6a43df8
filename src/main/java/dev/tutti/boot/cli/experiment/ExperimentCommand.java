package dev.tutti.boot.cli.experiment;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/** Groups the experiments that can be repeated. */
@Command(
        name = "experiment",
        description = "Measure how well and how fast pods are placed, without a service and a database.")
public final class ExperimentCommand {

    private ExperimentCommand() {}

    /** The command with its subcommands. */
    public static CommandLine create() {
        return new CommandLine(new ExperimentCommand())
                .addSubcommand(new OpenbCommand())
                .addSubcommand(new GangsCommand());
    }
}
