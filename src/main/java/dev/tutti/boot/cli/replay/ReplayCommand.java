package dev.tutti.boot.cli.replay;

import picocli.CommandLine.Command;

/** Groups the workloads that can be replayed. */
@Command(
        name = "replay",
        description = "Play a recorded workload through the API of a service started for it.",
        subcommands = OpenbCommand.class)
public final class ReplayCommand {}
