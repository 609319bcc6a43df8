package dev.tutti.boot.cli;

import dev.tutti.boot.cli.experiment.ExperimentCommand;
import dev.tutti.boot.cli.replay.ReplayCommand;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Unmatched;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * The root command: without a subcommand it serves. Decides which command runs and with which exit code the program
 * ends (0 done or serving, 1 failed, 2 misused); what a command does is the command's own matter.
 */
@Command(name = "tutti", description = "A GPU scheduling control plane. Without a command it serves.")
public final class TuttiCommand implements Callable<Integer> {

    private static final int FAILED = 1;

    private final ServeCommand serve;

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Mixin
    private HelpOption help = new HelpOption();

    @Unmatched
    private List<String> settings = new ArrayList<>();

    private TuttiCommand(ServeCommand serve) {
        this.serve = serve;
    }

    /**
     * Runs the command that the arguments name.
     *
     * @param application the class whose package is searched for the service's parts
     * @param arguments as typed
     * @return the exit code; 0 also means that a service is up and goes on running
     */
    public static int execute(Class<?> application, String... arguments) {
        return commandLine(application).execute(arguments);
    }

    static CommandLine commandLine(Class<?> application) {
        CommandLine root = new CommandLine(new TuttiCommand(new ServeCommand(application)));
        root.addSubcommand(new ServeCommand(application));
        root.addSubcommand(ReplayCommand.of(application));
        root.addSubcommand(ExperimentCommand.create());
        root.setOut(new PrintWriter(System.out, true, StandardCharsets.UTF_8));
        root.setErr(new PrintWriter(System.err, true, StandardCharsets.UTF_8));
        root.setExecutionExceptionHandler((failure, command, parsed) -> {
            if (!Stopping.isUnderWay()) {
                command.getErr().println("tutti: " + failure.getMessage());
            }
            return FAILED;
        });
        root.setParameterExceptionHandler(TuttiCommand::misused);
        return root;
    }

    private static int misused(ParameterException wrong, String[] arguments) {
        CommandLine command = wrong.getCommandLine();
        PrintWriter err = command.getErr();
        err.println("tutti: " + wrong.getMessage());
        UnmatchedArgumentException.printSuggestions(wrong, err);
        err.println("More: " + command.getCommandSpec().qualifiedName() + " --help");
        return command.getCommandSpec().exitCodeOnInvalidInput();
    }

    @Override
    public Integer call() {
        for (String setting : settings) {
            if (!setting.startsWith("--")) {
                throw new ParameterException(spec.commandLine(), "Unknown command '" + setting + "'");
            }
        }
        return serve.serve(settings);
    }
}
