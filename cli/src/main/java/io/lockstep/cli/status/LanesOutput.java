package io.lockstep.cli.status;

import com.fasterxml.jackson.core.JsonGenerator;
import io.lockstep.cli.servers.ServerState;
import io.lockstep.run.SinkEntry;
import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Prints the locations of lanes, as text or JSON. */
final class LanesOutput {

    private LanesOutput() {}

    static void text(List<ServerState> servers, PrintStream out) {
        if (servers.isEmpty()) {
            out.println("no reader: the job does not run");
        }
        for (ServerState server : servers) {
            SinkEntry entry = server.entry();
            String lanes =
                    new TreeMap<>(entry.lanes())
                            .entrySet().stream()
                                    .map(of -> of.getKey() + " " + Waits.lanes(of.getValue()))
                                    .collect(Collectors.joining("; "));
            out.printf(
                    "reader %d on %s: %s%s%n",
                    entry.subtask(),
                    entry.host(),
                    lanes.isEmpty() ? "no lane" : lanes,
                    server.answers() ? "" : ", NOT ANSWERING, " + server.failure());
        }
    }

    static void json(String run, List<ServerState> servers, JsonGenerator out) throws IOException {
        out.writeStartObject();
        out.writeStringField("run", run);
        out.writeArrayFieldStart("readers");
        for (ServerState server : servers) {
            SinkEntry entry = server.entry();
            out.writeStartObject();
            out.writeNumberField("reader", entry.subtask());
            out.writeStringField("host", entry.host());
            out.writeStringField("uri", entry.uri());
            out.writeBooleanField("answers", server.answers());
            out.writeObjectFieldStart("lanes");
            for (Map.Entry<String, List<Integer>> stream :
                    new TreeMap<>(entry.lanes()).entrySet()) {
                out.writeArrayFieldStart(stream.getKey());
                for (int lane : stream.getValue()) {
                    out.writeNumber(lane);
                }
                out.writeEndArray();
            }
            out.writeEndObject();
            out.writeEndObject();
        }
        out.writeEndArray();
        out.writeEndObject();
    }
}
