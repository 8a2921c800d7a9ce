package io.lockstep.cli.status;

import io.lockstep.cli.console.Console;
import io.lockstep.cli.console.JsonText;
import io.lockstep.cli.data.PastRun;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code lockstep status}: how a run is now. */
@Command(
        name = "status",
        mixinStandardHelpOptions = true,
        description = {
            "Tell how a run is: its trainers, servers and lanes, and who waits for whom since when.",
            "A server that has not answered within 5 s is named as not answering."
        })
public final class StatusCommand implements Callable<Integer> {

    private final Console console;

    @Parameters(paramLabel = "RUN_DIR", description = "The directory of the run.")
    private String run;

    @Option(names = "--json", description = "One JSON object.")
    private boolean json;

    public StatusCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() throws IOException {
        RunStatus status = RunStatus.of(PastRun.open(run));
        if (json) {
            JsonText.line(console.out(), out -> StatusJson.write(status, out));
        } else {
            new StatusText(status, console.out()).print();
        }
        return 0;
    }
}
