package io.lockstep.handoff.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.lockstep.source.split.LaneSplit;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A server and a client that sends it JSON, for tests of the protocol as documented. */
@Timeout(120)
abstract class ProtocolTestBase {

    static final String WHO = "'generation':1,'rank':0,'stream':'train'";
    static final String FIRST_STEP = "'epoch':0,'step':0,'upTo':1";

    @TempDir Path memory;
    HandoffFixture fixture;
    RawClient raw;

    @BeforeEach
    void start() throws Exception {
        fixture = new HandoffFixture(Samples.numbers(), 5, memory);
        raw = new RawClient(fixture.server.uri(), HandoffFixture.TOKEN, fixture.allocator);
    }

    @AfterEach
    void stop() throws Exception {
        raw.close();
        fixture.close();
    }

    final String attach() throws Exception {
        return raw.call("attach", "{%s,'transport':'shm'}", WHO).get("connection").asText();
    }

    static void assertError(JsonNode reply, String code, String... words) {
        assertThat(reply.at("/error/code").asText()).as(reply.toString()).isEqualTo(code);
        String message = reply.at("/error/message").asText();
        assertThat(message).isNotEmpty();
        for (String word : words) {
            assertThat(message).contains(word);
        }
    }

    /**
     * Pauses lane 0 and starts a get of step 0 of lanes 0 and 1; returns once the server holds it.
     */
    final CompletableFuture<JsonNode> waitingGet(String connection) {
        fixture.job.pause(0);
        CompletableFuture<JsonNode> reply =
                raw.callLater(
                        "get",
                        "{'connection':'%s',%s,'lanes':[0,1],%s,'waitMs':9000}",
                        connection,
                        WHO,
                        FIRST_STEP);
        while (fixture.job.wanted(new LaneSplit("train", 1)) == null) {
            Thread.onSpinWait();
        }
        return reply;
    }
}
