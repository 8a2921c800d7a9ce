package io.lockstep.cli.status;

import io.lockstep.cli.console.Console;
import io.lockstep.cli.console.JsonText;
import io.lockstep.cli.console.UsageException;
import io.lockstep.cli.data.PastRun;
import io.lockstep.cli.servers.ServerProbe;
import io.lockstep.cli.servers.ServerState;
import io.lockstep.run.RunDirectory;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code lockstep lanes}: shows where the lanes of a running job are, and moves them. */
@Command(
        name = "lanes",
        mixinStandardHelpOptions = true,
        description = {
            "Show which reader of a running job serves which lanes, or move lanes while it runs.",
            "",
            "The trainers follow the lanes and get the same steps. Moved lanes return to their original reader"
                    + " when it or the job restarts: to stop a task manager, drain its host first."
        })
public final class LanesCommand implements Callable<Integer> {

    private final Console console;

    @Parameters(paramLabel = "RUN_DIR", description = "The run directory.")
    private String run;

    @Option(
            names = "--move",
            paramLabel = "LANES",
            split = ",",
            description = "The lanes to move, such as 3,4 or 0-3.")
    private List<String> move = List.of();

    @Option(
            names = "--stream",
            paramLabel = "NAME",
            description = "The stream of the lanes to move. Default: all streams with these lanes.")
    private String stream;

    @Option(
            names = "--drain",
            paramLabel = "PLACE",
            split = ",",
            description = "Move all lanes away from a host, or from a reader by number.")
    private List<String> drain = List.of();

    @Option(
            names = "--to",
            paramLabel = "PLACE",
            split = ",",
            description =
                    "The hosts or readers to move the lanes to, evenly. Default with --drain: all"
                            + " others.")
    private List<String> to = List.of();

    @Option(names = "--json", description = "Print one JSON object.")
    private boolean json;

    public LanesCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        checkOptions();
        RunDirectory directory = PastRun.open(run).directory();
        List<ServerState> servers = ServerProbe.ask(directory);
        if (!move.isEmpty() || !drain.isEmpty()) {
            new LaneTransfer(directory, console).run(request(new LanePlaces(directory, servers)));
            servers = ServerProbe.ask(directory);
        }
        print(directory, servers);
        return 0;
    }

    private void checkOptions() {
        if (!move.isEmpty() && !drain.isEmpty()) {
            throw new UsageException("--move and --drain exclude each other");
        }
        if (!move.isEmpty() && to.isEmpty()) {
            throw new UsageException(
                    "--move needs --to: the host or the reader that gets the lanes");
        }
        if (move.isEmpty() && drain.isEmpty() && !to.isEmpty()) {
            throw new UsageException("--to needs --move or --drain, which name the lanes");
        }
        if (move.isEmpty() && stream != null) {
            throw new UsageException(
                    "--stream requires --move: --drain moves the lanes of all streams");
        }
    }

    private LaneTransfer.Order request(LanePlaces places) {
        if (!move.isEmpty()) {
            return new LaneTransfer.Order(
                    places.lanes(LaneNumbers.parse(move), stream), places.readers(to));
        }
        List<Integer> from = places.readers(drain);
        List<Integer> others = to.isEmpty() ? places.others(from) : places.readers(to);
        return new LaneTransfer.Order(places.lanesOf(from), others);
    }

    private void print(RunDirectory directory, List<ServerState> servers) throws IOException {
        if (json) {
            JsonText.line(console.out(), out -> LanesOutput.json(directory.root(), servers, out));
        } else {
            LanesOutput.text(servers, console.out());
        }
    }
}
