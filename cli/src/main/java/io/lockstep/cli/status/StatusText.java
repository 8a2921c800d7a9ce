package io.lockstep.cli.status;

import io.lockstep.Plural;
import io.lockstep.Printable;
import io.lockstep.cli.servers.ServerState;
import io.lockstep.run.GenerationEntry;
import io.lockstep.run.SinkEntry;
import java.io.PrintStream;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Prints a run's status as text. */
final class StatusText {

    private final RunStatus status;
    private final PrintStream out;

    StatusText(RunStatus status, PrintStream out) {
        this.status = status;
        this.out = out;
    }

    void print() {
        row("run", status.root());
        trainers();
        servers();
        row("proof", status.proof().sentence());
        waits();
    }

    private void trainers() {
        if (status.generation().isEmpty()) {
            row("trainers", "none has attached yet");
            return;
        }
        GenerationEntry entry = status.generation().get();
        row(
                "trainers",
                "generation "
                        + entry.generation()
                        + ": "
                        + entry.ranks().size()
                        + " of "
                        + Plural.of(entry.world(), "rank")
                        + " attached, "
                        + entry.closed().size()
                        + " finished");
        for (GenerationEntry.Member member : entry.ranks()) {
            row(
                    "",
                    "rank "
                            + member.rank()
                            + " on "
                            + member.host()
                            + (entry.closed().contains(member.rank()) ? ", finished" : ""));
        }
    }

    private void servers() {
        if (status.servers().isEmpty()) {
            row("servers", status.done() ? "none: the run is done" : "none: the job does not run");
            return;
        }
        String name = "servers";
        for (ServerState server : status.servers()) {
            SinkEntry entry = server.entry();
            String what =
                    entry.subtask()
                            + " at "
                            + entry.uri()
                            + (entry.attempt() == 0 ? ": " : ", restart " + entry.attempt() + ": ")
                            + (server.answers()
                                    ? Plural.of(server.stats().held(), "step")
                                            + " held, "
                                            + server.stats().served()
                                            + " served"
                                    : "NOT ANSWERING, " + server.failure());
            row(name, what);
            name = "";
            for (Map.Entry<String, List<Integer>> lanes : new TreeMap<>(entry.lanes()).entrySet()) {
                row("", "  " + lanes.getKey() + " " + Waits.lanes(lanes.getValue()));
            }
        }
    }

    private void waits() {
        String name = "waits";
        for (String sentence : status.waits()) {
            row(name, sentence);
            name = "";
        }
    }

    private void row(String name, String value) {
        out.printf("%-9s %s%n", name, Printable.of(value));
    }
}
