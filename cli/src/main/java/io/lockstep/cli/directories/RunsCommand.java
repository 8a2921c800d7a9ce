package io.lockstep.cli.directories;

import io.lockstep.cli.console.Console;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code lockstep runs}: lists and deletes runs. */
@Command(
        name = "runs",
        mixinStandardHelpOptions = true,
        description = "List runs, or delete a run.",
        synopsisSubcommandLabel = "ls | rm",
        commandListHeading = "%nCommands:%n")
public final class RunsCommand implements Runnable {

    @Spec private CommandSpec spec;

    private RunsCommand() {}

    /** The command with its subcommands. */
    public static CommandLine commandLine(Console console) {
        return new CommandLine(new RunsCommand())
                .addSubcommand(new ListRunsCommand(console))
                .addSubcommand(new RemoveRunCommand(console));
    }

    /** Rejects a call without a subcommand. */
    @Override
    public void run() {
        throw new CommandLine.ParameterException(
                spec.commandLine(), "'runs' requires a command: ls or rm");
    }
}
