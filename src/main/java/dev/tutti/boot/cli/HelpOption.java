package dev.tutti.boot.cli;

import java.util.Objects;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Option;

/** The options that every command has: they say something and run nothing. */
@Command(versionProvider = HelpOption.Version.class)
public final class HelpOption {

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help.")
    private boolean help;

    @Option(
            names = {"-V", "--version"},
            versionHelp = true,
            description = "Show the version.")
    private boolean version;

    /** The version that the jar names; classes that are in no jar have none. */
    static final class Version implements IVersionProvider {

        @Override
        public String[] getVersion() {
            String packaged = Version.class.getPackage().getImplementationVersion();
            return new String[] {"tutti " + Objects.requireNonNullElse(packaged, "(not packaged)")};
        }
    }
}
