package io.lockstep.handoff.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import io.lockstep.handoff.client.Credentials;
import io.lockstep.handoff.client.HandoffClient;
import io.lockstep.protocol.HandoffException;
import io.lockstep.protocol.Reply;
import io.lockstep.protocol.Request;
import io.lockstep.protocol.Verb;
import io.lockstep.run.RunToken;
import io.lockstep.source.split.LaneSplit;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.apache.arrow.flight.FlightRuntimeException;
import org.apache.arrow.flight.FlightStatusCode;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Clients that know host and port but not the token, and clients that send oversized messages. */
class HostileClientTest extends ProtocolTestBase {

    private static final int MEBIBYTE = 1 << 20;

    private final List<Request.ToRun> asked = new CopyOnWriteArrayList<>();

    @BeforeEach
    void recordWhatReachesTheEnumerator() {
        fixture.job.answer(
                request -> {
                    asked.add(request);
                    return CompletableFuture.completedFuture(new Reply.Noted());
                });
    }

    private static void assertRefused(ThrowingCallable call, String why) {
        assertThatThrownBy(call)
                .asInstanceOf(type(FlightRuntimeException.class))
                .satisfies(
                        refused -> {
                            assertThat(refused.status().code())
                                    .isEqualTo(FlightStatusCode.UNAUTHENTICATED);
                            assertThat(refused.status().description())
                                    .contains(why, "LOCKSTEP_RUN", "LOCKSTEP_TOKEN_FILE")
                                    .doesNotContain("/runs/a");
                        });
    }

    @Test
    void withoutTheTokenNoVerbHasAnEffect() throws Exception {
        String get = "{%s,'lanes':[0,1],%s}";
        for (RunToken token : new RunToken[] {null, RunToken.random()}) {
            String why = token == null ? "carries no token" : "not carry the token of this run";
            try (RawClient stranger =
                    new RawClient(fixture.server.uri(), token, fixture.allocator)) {
                for (Verb verb : Verb.values()) {
                    assertRefused(
                            () ->
                                    stranger.call(
                                            verb.wireName(),
                                            "{%s,'lanes':[0],%s,'from':0,'launch':'l','world':2,"
                                                    + "'instance':'i','state':{},'call':'c'}",
                                            WHO,
                                            FIRST_STEP),
                            why);
                }
                assertRefused(() -> stranger.stream(get, WHO, FIRST_STEP), why);
            }
        }
        assertThat(asked).isEmpty();
        assertThat(fixture.job.wanted(new LaneSplit("train", 0))).isNull();
    }

    @Test
    void theJavaClientSaysWhatToSet() {
        assertThatThrownBy(
                        () ->
                                HandoffClient.connect(
                                        fixture.server.uri(),
                                        new Credentials(null),
                                        fixture.allocator))
                .isInstanceOf(HandoffException.class)
                .hasMessageContaining("LOCKSTEP_TOKEN");
    }

    @Test
    void aRequestOfMoreThanOneMebibyteIsRefused() throws Exception {
        String body = "x".repeat(16 * MEBIBYTE);
        try (Records ofGrpc = new Records("io.grpc")) {
            assertTooLarge(
                    () -> raw.call("note", "{%s,'epoch':0,'step':0,'text':'%s'}", WHO, body));
            assertTooLarge(
                    () ->
                            raw.stream(
                                    "{%s,'lanes':[0],%s,'connection':'%s'}",
                                    WHO, FIRST_STEP, body));
            assertThat(raw.call("hello", "{}").has("error")).isFalse();
            assertThat(ofGrpc.messages).as("a stack trace for each").isEmpty();
        }
    }

    /** What loggers of the JDK receive below a name. */
    private static final class Records extends Handler implements AutoCloseable {

        private final List<String> messages = new CopyOnWriteArrayList<>();
        private final Logger logger;

        Records(String name) {
            logger = Logger.getLogger(name);
            logger.addHandler(this);
        }

        @Override
        public void publish(LogRecord record) {
            messages.add(record.getMessage() + ": " + record.getThrown());
        }

        @Override
        public void flush() {}

        @Override
        public void close() {
            logger.removeHandler(this);
        }
    }

    private static void assertTooLarge(ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOf(FlightRuntimeException.class)
                .satisfiesAnyOf(
                        refused -> assertThat(refused).hasMessageContaining("exceeds maximum size"),
                        // The server's reset may arrive before its reason.
                        refused -> assertThat(refused).hasMessageContaining("CANCEL"));
    }
}
