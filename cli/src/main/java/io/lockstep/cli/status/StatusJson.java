package io.lockstep.cli.status;

import com.fasterxml.jackson.core.JsonGenerator;
import io.lockstep.cli.servers.ServerState;
import io.lockstep.protocol.Reply;
import io.lockstep.run.GenerationEntry;
import java.io.IOException;
import java.util.Map;

/** Prints a run's status as JSON. */
final class StatusJson {

    private StatusJson() {}

    static void write(RunStatus status, JsonGenerator out) throws IOException {
        out.writeStartObject();
        out.writeStringField("run", status.root());
        out.writeBooleanField("done", status.done());
        out.writeFieldName("trainers");
        if (status.generation().isPresent()) {
            write(status.generation().get(), out);
        } else {
            out.writeNull();
        }
        out.writeArrayFieldStart("servers");
        for (ServerState server : status.servers()) {
            write(server, out);
        }
        out.writeEndArray();
        out.writeArrayFieldStart("lanes");
        for (ServerState server : status.servers()) {
            if (server.answers()) {
                writeLanes(server, out);
            }
        }
        out.writeEndArray();
        out.writeObjectFieldStart("proof");
        out.writeNumberField("recorded", status.proof().recorded());
        out.writeNumberField("lost", status.proof().lost());
        out.writeStringField("warning", status.proof().warning());
        out.writeEndObject();
        out.writeArrayFieldStart("waits");
        for (String sentence : status.waits()) {
            out.writeString(sentence);
        }
        out.writeEndArray();
        out.writeEndObject();
    }

    private static void write(GenerationEntry entry, JsonGenerator out) throws IOException {
        out.writeStartObject();
        out.writeNumberField("generation", entry.generation());
        out.writeNumberField("world", entry.world());
        out.writeArrayFieldStart("ranks");
        for (GenerationEntry.Member member : entry.ranks()) {
            out.writeStartObject();
            out.writeNumberField("rank", member.rank());
            out.writeStringField("host", member.host());
            out.writeBooleanField("finished", entry.closed().contains(member.rank()));
            out.writeEndObject();
        }
        out.writeEndArray();
        out.writeEndObject();
    }

    private static void write(ServerState server, JsonGenerator out) throws IOException {
        out.writeStartObject();
        out.writeNumberField("subtask", server.entry().subtask());
        out.writeStringField("uri", server.entry().uri());
        out.writeStringField("host", server.entry().host());
        out.writeNumberField("attempt", server.entry().attempt());
        out.writeBooleanField("answers", server.answers());
        out.writeStringField("failure", server.failure());
        out.writeEndObject();
    }

    private static void writeLanes(ServerState server, JsonGenerator out) throws IOException {
        for (Map.Entry<String, Map<Integer, Reply.LaneStats>> stream :
                server.stats().lanes().entrySet()) {
            for (Map.Entry<Integer, Reply.LaneStats> lane : stream.getValue().entrySet()) {
                out.writeStartObject();
                out.writeStringField("stream", stream.getKey());
                out.writeNumberField("lane", lane.getKey());
                out.writeNumberField("server", server.entry().subtask());
                out.writeNumberField("held", lane.getValue().held());
                Reply.LanePosition at = lane.getValue().position();
                if (at != null) {
                    write(at, out);
                }
                out.writeEndObject();
            }
        }
    }

    private static void write(Reply.LanePosition at, JsonGenerator out) throws IOException {
        out.writeNumberField("generation", at.generation());
        out.writeNumberField("rank", at.rank());
        out.writeNumberField("epoch", at.epoch());
        out.writeNumberField("step", at.step());
        out.writeBooleanField("ready", at.ready());
        out.writeObjectField("waitingMs", at.waitingMs());
        out.writeObjectField("idleMs", at.idleMs());
    }
}
