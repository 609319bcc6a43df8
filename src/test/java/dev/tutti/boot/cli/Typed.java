package dev.tutti.boot.cli;

import dev.tutti.Tutti;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import picocli.CommandLine;

/**
 * What a command typed into this process answered.
 *
 * @param lines lines on standard output
 * @param error all of standard error
 */
record Typed(int exitCode, List<String> lines, String error) {

    static Typed command(String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine root = TuttiCommand.commandLine(Tutti.class);
        root.setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
        int exitCode = root.execute(arguments);
        return new Typed(exitCode, out.toString().lines().toList(), err.toString());
    }

    String lastLine() {
        return lines.get(lines.size() - 1);
    }

    String text() {
        return String.join("\n", lines);
    }
}
