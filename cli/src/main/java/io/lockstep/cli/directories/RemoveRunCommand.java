package io.lockstep.cli.directories;

import io.lockstep.Plural;
import io.lockstep.UserException;
import io.lockstep.cli.console.Console;
import io.lockstep.cli.data.PastRun;
import io.lockstep.cli.run.RunLock;
import io.lockstep.cli.runfile.Quantities;
import io.lockstep.cli.servers.ServerProbe;
import io.lockstep.run.RunDirectory;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.Charset;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code lockstep runs rm}: deletes a run. */
@Command(
        name = "rm",
        mixinStandardHelpOptions = true,
        description = {
            "Delete a run after confirmation.",
            "Deletes the files that Lockstep wrote, including the record of what a model was trained on. Other "
                    + "files stay. Rejects a run that is in use."
        })
final class RemoveRunCommand implements Callable<Integer> {

    private final Console console;

    @Parameters(paramLabel = "RUN_DIR", description = "The run directory.")
    private String run;

    @Option(names = "--yes", description = "Do not ask for confirmation.")
    private boolean yes;

    RemoveRunCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() throws IOException {
        RunDirectory directory = PastRun.open(run).directory();
        if (!directory.root().startsWith("/")) {
            remove(directory);
            return 0;
        }
        RunLock lock = RunLock.take(Path.of(directory.root()), "runs rm");
        try (lock) {
            remove(directory);
        }
        return 0;
    }

    private void remove(RunDirectory directory) throws IOException {
        refuseWhileServed(directory);
        if (!yes && !confirmed(directory)) {
            throw new UserException("nothing was removed; --yes removes without a question");
        }
        List<String> left = new RunRemoval(directory.root()).remove();
        console.print(
                left.isEmpty()
                        ? "removed " + directory.root()
                        : "removed the run; what Lockstep did not write is still in "
                                + directory.root()
                                + ": "
                                + String.join(", ", left));
    }

    private static void refuseWhileServed(RunDirectory directory) throws IOException {
        switch (ServerProbe.look(directory)) {
            case ANSWERING ->
                    throw new UserException(
                            "the run "
                                    + directory.root()
                                    + " is being served by a job: end the job first, then remove the run");
            case SILENT ->
                    throw new UserException(
                            "a server of the run "
                                    + directory.root()
                                    + " does not answer, and its job may still run: end the job first; if"
                                    + " the server's host is gone for good, remove "
                                    + directory.root()
                                    + "/sinks");
            default -> {
                // No server is running.
            }
        }
    }

    private boolean confirmed(RunDirectory directory) throws IOException {
        TreeSize size = TreeSize.of(directory.root());
        console.print(
                "remove "
                        + directory.root()
                        + " with "
                        + Plural.of(size.files(), "file")
                        + " of "
                        + Quantities.about(size.bytes())
                        + "? Type yes:");
        BufferedReader in =
                new BufferedReader(new InputStreamReader(System.in, Charset.defaultCharset()));
        String answer = in.readLine();
        return answer != null && answer.trim().equalsIgnoreCase("yes");
    }
}
