package io.lockstep.handoff.server;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lockstep.handoff.threads.Uninterrupted;
import io.lockstep.protocol.Messages;
import io.lockstep.run.RunToken;
import io.lockstep.testing.OwnThreads;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import javax.annotation.Nullable;
import org.apache.arrow.flight.Action;
import org.apache.arrow.flight.FlightCallHeaders;
import org.apache.arrow.flight.FlightClient;
import org.apache.arrow.flight.FlightStream;
import org.apache.arrow.flight.HeaderCallOption;
import org.apache.arrow.flight.Location;
import org.apache.arrow.flight.Ticket;
import org.apache.arrow.memory.BufferAllocator;

/** Sends JSON verbatim, with apostrophes for quotes, and reads JSON. */
final class RawClient implements AutoCloseable {

    private static final ObjectMapper JSON = new ObjectMapper();

    private final FlightClient flight;
    private final HeaderCallOption options;

    RawClient(String uri, @Nullable RunToken token, BufferAllocator allocator) {
        flight = FlightClient.builder(allocator, new Location(URI.create(uri))).build();
        FlightCallHeaders headers = new FlightCallHeaders();
        if (token != null) {
            headers.insert("authorization", token.authorization());
        }
        options = new HeaderCallOption(headers);
    }

    /** Returns the reply to an action; adds the protocol's version. */
    JsonNode call(String action, String format, Object... arguments) throws Exception {
        return send(action, body(format, arguments));
    }

    /** The same on another thread. */
    CompletableFuture<JsonNode> callLater(String action, String format, Object... arguments) {
        String body = body(format, arguments);
        return OwnThreads.call(() -> send(action, body));
    }

    private static String body(String format, Object... arguments) {
        String body = String.format(format, arguments).replace('\'', '"');
        String protocol = "{\"protocol\":" + Messages.PROTOCOL;
        return body.replaceFirst("\\{", body.equals("{}") ? protocol : protocol + ",");
    }

    /** Returns the reply to exactly this body. */
    JsonNode send(String action, String body) throws JsonProcessingException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        return JSON.readTree(
                new String(
                        flight.doAction(new Action(action, bytes), options).next().getBody(),
                        StandardCharsets.UTF_8));
    }

    /** The metadata of the only message of a Flight stream. */
    @SuppressWarnings("try")
    JsonNode stream(String format, Object... arguments) throws Exception {
        byte[] ticket = body(format, arguments).getBytes(StandardCharsets.UTF_8);
        try (FlightStream stream = flight.getStream(new Ticket(ticket), options)) {
            if (!stream.next()) {
                throw new IllegalStateException("the stream is empty");
            }
            byte[] json = new byte[(int) stream.getLatestMetadata().readableBytes()];
            stream.getLatestMetadata().getBytes(0, json);
            return JSON.readTree(json);
        }
    }

    @Override
    public void close() {
        Uninterrupted.run(flight::close);
    }
}
