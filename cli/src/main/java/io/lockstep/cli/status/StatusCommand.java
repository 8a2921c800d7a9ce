package io.lockstep.cli.status;

import io.lockstep.cli.console.Console;
import io.lockstep.cli.console.JsonText;
import io.lockstep.cli.data.PastRun;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code lockstep status}: shows the state of a run. */
@Command(
        name = "status",
        mixinStandardHelpOptions = true,
        description = {
            "Show the trainers, servers and lanes of a run, and what each of them waits for.",
            "A server that does not answer within 5 s is listed as not answering."
        })
public final class StatusCommand implements Callable<Integer> {

    private final Console console;

    @Parameters(paramLabel = "RUN_DIR", description = "The run directory.")
    private String run;

    @Option(names = "--json", description = "Print one JSON object.")
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
