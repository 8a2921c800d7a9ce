package io.lockstep.handoff;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.lockstep.run.SinkEntry;
import io.lockstep.source.feedback.TrainerReply;
import io.lockstep.source.feedback.TrainerRequest;
import io.lockstep.source.feedback.Want;
import io.lockstep.source.split.LaneSplit;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.arrow.vector.types.pojo.Schema;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The protocol as its document states it, in JSON. */
@Timeout(120)
class HandoffProtocolTest {

    private static final String WHO = "'generation':1,'rank':0,'stream':'train'";
    private static final String FIRST_STEP = "'epoch':0,'step':0,'upTo':1";

    @TempDir Path memory;
    private HandoffFixture fixture;
    private RawClient raw;

    @BeforeEach
    void start() throws Exception {
        fixture = new HandoffFixture(Samples.numbers(), 5, memory);
        raw = new RawClient(fixture.server.uri(), fixture.allocator);
    }

    @AfterEach
    void stop() throws Exception {
        raw.close();
        fixture.close();
    }

    private String attach() throws Exception {
        return raw.call("attach", "{%s,'transport':'shm'}", WHO).get("connection").asText();
    }

    private static void assertError(JsonNode reply, String code, String... words) {
        assertThat(reply.at("/error/code").asText()).as(reply.toString()).isEqualTo(code);
        String message = reply.at("/error/message").asText();
        assertThat(message).isNotEmpty();
        for (String word : words) {
            assertThat(message).contains(word);
        }
    }

    @Test
    void helloTellsVersionRunAndProbe() throws Exception {
        JsonNode hello = raw.call("hello", "{'client':'test'}");
        assertThat(hello.get("protocol").asInt()).isEqualTo(1);
        assertThat(hello.get("run").asText()).isEqualTo("/runs/a");
        assertThat(Path.of(hello.at("/shm/probe").asText()))
                .hasParent(memory)
                .hasContent(hello.at("/shm/nonce").asText());
        assertThat(fixture.client.sharesMemory()).isTrue();
    }

    @Test
    void anotherVersionIsRefusedByName() throws Exception {
        assertError(
                raw.send("hello", "{\"protocol\":2}"),
                "version",
                "this client speaks hand-off protocol 2, the job speaks 1: install lockstep 0.1");
        assertError(raw.send("routing", "{\"protocol\":0}"), "version");
        assertError(raw.send("hello", "{}"), "bad-request", "\"protocol\"");
        assertError(raw.send("hello", "[]"), "bad-request");
        assertError(raw.send("hello", "no json"), "bad-request");
    }

    @Test
    void whatIsNotOfTheProtocolIsABadRequest() throws Exception {
        assertError(raw.call("open", "{}"), "bad-request", "'open'", "attach");
        assertError(raw.call("get", "{%s,%s}", WHO, FIRST_STEP), "bad-request", "lanes");
        assertError(raw.call("attach", "{%s}", WHO), "bad-request", "transport");
        assertError(raw.call("close", "{'generation':1,'rank':'two'}"), "bad-request", "two");
        assertError(raw.call("get", "{%s,'lanes':[0],%s}", WHO, FIRST_STEP), "bad-request");
    }

    @Test
    void routingNamesStreamsAndServers() throws Exception {
        fixture.job.sinks(
                List.of(
                        new SinkEntry(
                                0,
                                fixture.server.uri(),
                                "host-a",
                                1,
                                "task-1",
                                Map.of("train", List.of(0, 1, 2, 3)))));
        JsonNode routing = raw.call("routing", "{}");
        JsonNode train = routing.at("/streams/train");
        assertThat(train.get("lanes").asInt()).isEqualTo(TestJob.LANES);
        assertThat(train.get("steps").asInt()).isEqualTo(TestJob.STEPS);
        assertThat(train.get("seed").asText()).isEqualTo("18446744073709551615");
        assertThat(train.get("shuffle").asText()).isEqualTo("lane");
        byte[] schema = Base64.getDecoder().decode(train.get("schema").asText());
        assertThat(Schema.deserializeMessage(ByteBuffer.wrap(schema)))
                .isEqualTo(fixture.job.wire());
        assertThat(routing.at("/endpoints/0/uri").asText()).isEqualTo(fixture.server.uri());
        assertThat(routing.at("/endpoints/0/lanes/train/3").asInt()).isEqualTo(3);
        assertThat(fixture.client.routing().endpoints()).hasSize(1);
    }

    @Test
    void registerIsPassedToTheEnumerator() throws Exception {
        fixture.job.answer(
                request -> {
                    TrainerRequest.Register register = (TrainerRequest.Register) request;
                    return CompletableFuture.completedFuture(
                            register.rank() == 0
                                    ? new TrainerReply.Registered(7)
                                    : new TrainerReply.Refused("refused", "rank taken"));
                });
        String rest = "'token':'t','world':2,'host':'h','instance':'i'";
        assertThat(raw.call("register", "{'rank':0,%s}", rest).get("generation").asInt())
                .isEqualTo(7);
        assertError(raw.call("register", "{'rank':1,%s}", rest), "refused", "rank taken");
    }

    @Test
    void aRankThatWaitsForOthersIsAskedForAgainWithTheNextGeneration() throws Exception {
        CompletableFuture<Void> asked = new CompletableFuture<>();
        fixture.job.answer(
                request -> {
                    boolean again = !asked.complete(null);
                    return CompletableFuture.completedFuture(
                            again
                                    ? new TrainerReply.Registered(2)
                                    : new TrainerReply.Pending("waiting for rank 0"));
                });
        CompletableFuture<JsonNode> reply =
                raw.callLater(
                        "register", "{'token':'t','rank':1,'world':2,'host':'h','instance':'i'}");
        asked.join();
        fixture.job.generation(2);
        assertThat(reply.join().get("generation").asInt()).isEqualTo(2);
    }

    @Test
    void aRankThatWaitsForLongIsToldWhy() throws Exception {
        fixture.job.answer(
                request ->
                        CompletableFuture.completedFuture(
                                new TrainerReply.Pending("waiting for rank 0")));
        JsonNode reply =
                raw.call("register", "{'token':'t','rank':1,'world':2,'host':'h','instance':'i'}");
        assertThat(reply.get("pending").asText()).isEqualTo("waiting for rank 0");
    }

    @Test
    void getNamesASlotAndAFreedOneIsUsedAgain() throws Exception {
        String connection = attach();
        for (int step = 0; step < TestJob.STEPS; step++) {
            JsonNode reply =
                    raw.call(
                            "get",
                            "{'connection':'%s',%s,'lanes':[0,1],'epoch':0,'step':%d,'upTo':10,"
                                    + "'waitMs':5000,'free':[%d]}",
                            connection,
                            WHO,
                            step,
                            step);
            assertThat(reply.get("slot").asInt()).isEqualTo(step + 1);
            assertThat(reply.get("rows").asInt()).isEqualTo(10);
            assertThat(Path.of(reply.get("file").asText())).hasParent(memory);
            assertThat(reply.get("offset").asLong() % 64).isZero();
        }
    }

    @Test
    void theSameStepIsInTheSameSlotUntilThatIsFreed() throws Exception {
        String get = "{'connection':'%s',%s,'lanes':[0],%s,'waitMs':5000,'free':[%s]}";
        String connection = attach();
        JsonNode first = raw.call("get", get, connection, WHO, FIRST_STEP, "");
        assertThat(raw.call("get", get, connection, WHO, FIRST_STEP, "")).isEqualTo(first);
        JsonNode again = raw.call("get", get, connection, WHO, FIRST_STEP, "1");
        assertThat(again.get("slot").asInt()).isEqualTo(2);
    }

    @Test
    void whenAllSlotsAreInUseTheClientHasToFreeOne() throws Exception {
        String get =
                "{'connection':'%s',%s,'lanes':[0],'epoch':0,'step':%d,'upTo':10,'waitMs':%d,"
                        + "'free':[%s]}";
        String connection = attach();
        for (int step = 0; step < 4; step++) {
            assertThat(raw.call("get", get, connection, WHO, step, 5000, "").has("slot")).isTrue();
        }
        assertThat(raw.call("get", get, connection, WHO, 4, 100, "").get("pending").asText())
                .contains("4 slots");
        assertThat(raw.call("get", get, connection, WHO, 4, 5000, "1").get("slot").asInt())
                .isEqualTo(5);
    }

    @Test
    void aStepThatIsNotThereIsPendingAndSaysWhichLanes() throws Exception {
        fixture.job.pause(1);
        fixture.job.pause(2);
        raw.call("want", "{%s,'lanes':[0],'epoch':0,'from':0,'upTo':1}", WHO);
        while (fixture.server.stats().held() == 0) {
            Thread.onSpinWait();
        }
        String get = "{%s,'lanes':[0,1,2],%s,'waitMs':50}";
        assertThat(raw.stream(get, WHO, FIRST_STEP).get("pending").asText())
                .contains("lanes 1, 2", "'train'", "epoch 0, step 0");
        fixture.job.resume(1);
        fixture.job.resume(2);
        assertThat(
                        raw.stream("{%s,'lanes':[0,1,2],%s,'waitMs':5000}", WHO, FIRST_STEP)
                                .get("rows")
                                .asInt())
                .isEqualTo(15);
    }

    @Test
    void aLaterGetTakesThePlaceOfTheFormer() throws Exception {
        fixture.job.pause(0);
        CompletableFuture<JsonNode> first = waitingGet(attach());
        String again = "{%s,'lanes':[0,1],'epoch':0,'step':1,'upTo':2,'waitMs':1}";
        assertThat(raw.stream(again, WHO).get("pending").asText()).contains("to be made");
        assertThat(first.join().get("pending").asText()).contains("superseded");
    }

    /** A get of step 0 of lanes 0 and 1, of which lane 0 is paused, once the server holds it. */
    private CompletableFuture<JsonNode> waitingGet(String connection) {
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

    @Test
    void anUnknownStreamIsAnsweredWithThoseThatExist() throws Exception {
        String who = "'generation':1,'rank':0,'stream':'test'";
        String words = "the run has no stream 'test': it has 'eval', 'train'";
        assertError(raw.call("attach", "{%s,'transport':'shm'}", who), "unknown-stream", words);
        assertError(raw.stream("{%s,'lanes':[0],%s}", who, FIRST_STEP), "unknown-stream", words);
    }

    @Test
    void impossiblePositionsAreBadRequests() throws Exception {
        String get = "{%s,'lanes':%s,'epoch':0,'step':%d,'upTo':20}";
        String late = "{%s,'lanes':[0],'epoch':%d,'step':0,'upTo':20}";
        assertError(raw.stream(late, WHO, Long.MAX_VALUE), "bad-request", "step 0 in epoch 92");
        assertError(raw.stream(get, WHO, "[0]", 10), "bad-request", "step 10", "0 to 9");
        assertError(raw.stream(get, WHO, "[0]", -1), "bad-request", "step -1");
        assertError(raw.stream(get, WHO, "[1,0]", 0), "bad-request", "ascending");
        assertError(raw.stream(get, WHO, "[]", 0), "bad-request", "lanes");
        assertError(raw.stream(get, WHO, "[4]", 0), "bad-request", "0 to 3");
    }

    @Test
    void lanesThatMovedAreNotHere() throws Exception {
        fixture.job.pause(0);
        CompletableFuture<JsonNode> waiting = waitingGet(attach());
        fixture.job.assign(1);
        assertError(waiting.join(), "not-here", "[1]", "routing");
        assertError(
                raw.stream("{%s,'lanes':[0,3],%s}", WHO, FIRST_STEP), "not-here", "[3]", "train");
    }

    @Test
    void aFormerGenerationIsFenced() throws Exception {
        fixture.job.pause(0);
        String connection = attach();
        CompletableFuture<JsonNode> waiting = waitingGet(connection);
        fixture.job.generation(2);
        assertError(waiting.join(), "fenced", "generation 1", "generation 2");
        String get = "{'connection':'%s',%s,'lanes':[1],%s}";
        assertError(raw.call("get", get, connection, WHO, FIRST_STEP), "fenced");
        assertError(raw.call("attach", "{%s,'transport':'shm'}", WHO), "fenced");
        assertError(raw.stream("{%s,'lanes':[1],%s}", WHO, FIRST_STEP), "fenced");
        assertError(raw.call("detach", "{%s}", WHO), "fenced");
        assertThat(fixture.client.stats().connections()).isZero();
    }

    @Test
    void aGenerationThatIsNotKnownYetIsAwaited() throws Exception {
        String who = "'generation':2,'rank':0,'stream':'train'";
        assertThat(
                        raw.stream("{%s,'lanes':[0],%s,'waitMs':1}", who, FIRST_STEP)
                                .get("pending")
                                .asText())
                .contains("generation 2");
        CompletableFuture<JsonNode> attached =
                raw.callLater("attach", "{%s,'transport':'shm'}", who);
        fixture.job.generation(2);
        assertThat(attached.join().has("connection")).isTrue();
    }

    @Test
    void aLaneGoesToOneRank() throws Exception {
        String get = "{'generation':1,'rank':%d,'stream':'train','lanes':[%s],%s}";
        assertThat(raw.stream(get, 0, "0,1", FIRST_STEP).has("rows")).isTrue();
        assertError(raw.stream(get, 1, "1,2", FIRST_STEP), "refused", "rank 1", "lane 1", "rank 0");
        fixture.job.generation(2);
        String next = get.replace("'generation':1", "'generation':2");
        assertThat(raw.stream(next, 1, "1,2", FIRST_STEP).has("rows")).isTrue();
    }

    @Test
    void aConnectionOfAnotherServerIsUnknown() throws Exception {
        String get = "{'connection':'%s',%s,'lanes':[0],%s}";
        assertError(raw.call("get", get, "gone", WHO, FIRST_STEP), "unknown-connection", "attach");
        String former = attach();
        attach();
        assertError(raw.call("get", get, former, WHO, FIRST_STEP), "unknown-connection");
    }

    @Test
    void wantHasStepsMadeAhead() throws Exception {
        JsonNode reply = raw.call("want", "{%s,'lanes':[0,2],'epoch':1,'from':3,'upTo':99}", WHO);
        assertThat(reply).isEmpty();
        LaneSplit lane = new LaneSplit("train", 2);
        // The stream has 2 epochs.
        assertThat(fixture.job.wanted(lane)).isEqualTo(new Want(lane, 1, 13, 20));
        raw.call("want", "{%s,'lanes':[0,2],'epoch':5,'from':3,'upTo':99}", WHO);
        assertThat(fixture.job.wanted(lane)).isEqualTo(new Want(lane, 1, 53, 60));
    }

    @Test
    void aWantGoesOnInTheNextEpochSoThatItsFirstStepIsThereBeforeItIsAskedFor() throws Exception {
        raw.call("want", "{%s,'lanes':[0],'epoch':0,'from':9,'upTo':12}", WHO);
        while (fixture.server.stats().held() < 3) {
            Thread.onSpinWait();
        }
        fixture.job.pause(0);
        for (String place : List.of("'epoch':0,'step':9", "'epoch':1,'step':0")) {
            JsonNode reply = raw.stream("{%s,'lanes':[0],%s,'upTo':12,'waitMs':5000}", WHO, place);
            assertThat(reply.get("rows").asInt()).isEqualTo(5);
        }
    }

    @Test
    void detachEndsTheWantsOfAStream() throws Exception {
        String connection = attach();
        String get = "{'connection':'%s',%s,'lanes':[0],'epoch':0,'step':0,'upTo':9}";
        raw.call("get", get, connection, WHO);
        assertThat(raw.call("detach", "{%s,'connection':'%s'}", WHO, connection)).isEmpty();
        Want want = fixture.job.wanted(new LaneSplit("train", 0));
        assertThat(want.upTo()).isEqualTo(want.from());
        assertThat(fixture.client.stats().connections()).isZero();
        assertThat(fixture.client.stats().held()).isZero();
    }

    @Test
    void closeIsPassedToTheEnumeratorAndMayBeRepeated() throws Exception {
        attach();
        CompletableFuture<TrainerRequest> asked = new CompletableFuture<>();
        fixture.job.answer(
                request -> {
                    asked.complete(request);
                    return CompletableFuture.completedFuture(new TrainerReply.Acknowledged());
                });
        assertThat(raw.call("close", "{'generation':1,'rank':0}")).isEmpty();
        assertThat(asked.join()).isEqualTo(new TrainerRequest.Closed(1, 0));
        assertThat(fixture.client.stats().connections()).isZero();
        fixture.server.done();
        assertThat(raw.call("close", "{'generation':1,'rank':0}")).isEmpty();
        assertError(raw.stream("{%s,'lanes':[0],%s}", WHO, FIRST_STEP), "done");
    }

    @Test
    void aCloseThatTheEndOvertakesIsASuccess() throws Exception {
        CompletableFuture<Void> asked = new CompletableFuture<>();
        fixture.job.answer(
                request -> {
                    asked.complete(null);
                    return new CompletableFuture<>();
                });
        CompletableFuture<Void> closed =
                CompletableFuture.runAsync(() -> fixture.client.close(1, 0));
        asked.join();
        fixture.server.done();
        fixture.server.close();
        closed.join();
    }

    @Test
    void callsThatWaitEndWithTheServer() throws Exception {
        fixture.job.pause(0);
        CompletableFuture<JsonNode> get = waitingGet(attach());
        fixture.job.answer(request -> new CompletableFuture<>());
        fixture.server.close();
        assertError(get.join(), "not-here", "stopped");
    }

    @Test
    void statsTellWhoWaitsForWhichStep() throws Exception {
        assertThat(raw.call("stats", "{}").at("/lanes/train/0").has("position")).isFalse();
        fixture.job.pause(0);
        CompletableFuture<JsonNode> get = waitingGet(attach());
        while (fixture.server.stats().held() == 0) {
            Thread.onSpinWait();
        }

        JsonNode lanes = raw.call("stats", "{}").at("/lanes/train");
        JsonNode waiting = lanes.at("/0/position");
        assertThat(waiting.get("generation").asLong()).isEqualTo(1);
        assertThat(waiting.get("rank").asInt()).isZero();
        assertThat(waiting.get("epoch").asLong()).isZero();
        assertThat(waiting.get("step").asLong()).isZero();
        assertThat(waiting.get("ready").asBoolean()).isFalse();
        assertThat(waiting.get("waitingMs").asLong()).isNotNegative();
        assertThat(waiting.has("idleMs")).isFalse();
        assertThat(lanes.at("/1/position/ready").asBoolean()).isTrue();

        fixture.job.resume(0);
        get.join();
        JsonNode served = raw.call("stats", "{}").at("/lanes/train/0/position");
        assertThat(served.get("step").asLong()).isEqualTo(1);
        assertThat(served.has("waitingMs")).isFalse();
        assertThat(served.get("idleMs").asLong()).isNotNegative();
    }

    @Test
    void aWaitLastsFromTheFirstOfItsCalls() throws Exception {
        fixture.job.pause(2);
        String get = "{%s,'lanes':[2],'epoch':0,'step':%d,'upTo':9,'waitMs':40}";
        long before = System.nanoTime();
        raw.stream(get, WHO, 3);
        raw.stream(get, WHO, 3);
        raw.stream(get, WHO, 3);

        JsonNode position = raw.call("stats", "{}").at("/lanes/train/2/position");
        long waiting = position.get("waitingMs").asLong();
        assertThat(waiting).isLessThanOrEqualTo((System.nanoTime() - before) / 1_000_000);
        assertThat(waiting - position.get("idleMs").asLong()).isGreaterThan(75);
    }

    @Test
    void statsCountByLane() throws Exception {
        raw.stream("{%s,'lanes':[2],%s,'waitMs':5000}", WHO, FIRST_STEP);
        JsonNode stats = raw.call("stats", "{}");
        assertThat(stats.get("served").asInt()).isEqualTo(1);
        assertThat(stats.at("/lanes/train/2/served").asInt()).isEqualTo(1);
        assertThat(stats.at("/lanes/eval/3/emitted").asInt()).isZero();
    }
}
