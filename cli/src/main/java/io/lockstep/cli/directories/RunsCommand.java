package io.lockstep.cli.directories;

import io.lockstep.cli.console.Console;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code lockstep runs}: the run directories that there are. */
@Command(
        name = "runs",
        mixinStandardHelpOptions = true,
        description = "List run directories, or remove one.",
        synopsisSubcommandLabel = "ls | rm",
        commandListHeading = "%nVerbs:%n")
public final class RunsCommand implements Runnable {

    @Spec private CommandSpec spec;

    private RunsCommand() {}

    /** The verb with its own verbs. */
    public static CommandLine commandLine(Console console) {
        return new CommandLine(new RunsCommand())
                .addSubcommand(new ListRunsCommand(console))
                .addSubcommand(new RemoveRunCommand(console));
    }

    /** Without a verb there is nothing to do. */
    @Override
    public void run() {
        throw new CommandLine.ParameterException(
                spec.commandLine(), "'runs' needs one of its verbs: ls or rm");
    }
}
