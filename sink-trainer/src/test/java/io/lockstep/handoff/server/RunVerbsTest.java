package io.lockstep.handoff.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.lockstep.protocol.ErrorCode;
import io.lockstep.protocol.Messages;
import io.lockstep.protocol.Reply;
import io.lockstep.protocol.Request;
import io.lockstep.run.SinkEntry;
import io.lockstep.testing.OwnThreads;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.apache.arrow.vector.types.pojo.Schema;
import org.junit.jupiter.api.Test;

/** The verbs of the run as a whole, and rules common to all verbs. */
class RunVerbsTest extends ProtocolTestBase {

    @Test
    void helloTellsVersionRunAndProbe() throws Exception {
        JsonNode hello = raw.call("hello", "{'client':'test'}");
        assertThat(hello.get("protocol").asInt()).isEqualTo(Messages.PROTOCOL);
        assertThat(hello.get("run").asText()).isEqualTo("/runs/a");
        assertThat(Path.of(hello.at("/shm/probe").asText()))
                .hasParent(memory)
                .hasContent(hello.at("/shm/nonce").asText());
        assertThat(fixture.client.sharesMemory()).isTrue();
    }

    @Test
    void anotherVersionIsRefusedByName() throws Exception {
        assertError(
                raw.send("hello", "{\"protocol\":1}"),
                "version",
                "this client speaks hand-off protocol 1, the job speaks "
                        + Messages.PROTOCOL
                        + ": install lockstep 0.1");
        assertError(raw.send("routing", "{\"protocol\":0}"), "version");
        assertError(raw.send("hello", "{}"), "bad-request", "\"protocol\"");
        assertError(raw.send("hello", "[]"), "bad-request");
        assertError(raw.send("hello", "no json"), "bad-request");
    }

    @Test
    void whatIsForTheServerOfAnotherTaskIsRefused() throws Exception {
        String gone = "of the run /runs/a listens in its place";
        assertError(raw.call("hello", "{'task':'task-0'}"), "not-here", gone);
        assertError(raw.call("routing", "{'task':'task-0'}"), "not-here", gone);
        assertThat(raw.call("hello", "{'task':'task-1'}").has("error")).isFalse();
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
    void routingNamesTheLastKnownServersWhileTheRunDirectoryHangs() throws Exception {
        CountDownLatch hangs = new CountDownLatch(1);
        fixture.job.hangRunDirectory(hangs);
        assertThat(raw.call("routing", "{}").get("pending").asText())
                .contains("waiting for the run directory /runs/a");
        hangs.countDown();
        fixture.job.sinks(List.of(new SinkEntry(0, "grpc://a:1", "a", 1, "task-1", Map.of())));
        assertThat(raw.call("routing", "{}").at("/endpoints/0/host").asText()).isEqualTo("a");

        CountDownLatch again = new CountDownLatch(1);
        fixture.job.hangRunDirectory(again);
        // Notes hang as well; no number of them blocks the threads that answer the other verbs.
        List<CompletableFuture<JsonNode>> notes = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            notes.add(raw.callLater("note", "{%s,%s,'text':'x'}", WHO, "'epoch':0,'step':0"));
        }
        for (int i = 0; i < 3; i++) {
            JsonNode routing = raw.call("routing", "{}");
            assertThat(routing.at("/endpoints/0/host").asText()).isEqualTo("a");
        }
        assertThat(notes).noneMatch(CompletableFuture::isDone);
        again.countDown();
        notes.forEach(note -> assertThat(note.join()).isEmpty());
    }

    @Test
    void theCauseOfAFailedJobReachesWaitingAndLaterCalls() throws Exception {
        assertThat(raw.call("hello", "{'watch':true}").has("error")).isFalse();
        CompletableFuture<JsonNode> waiting = waitingGet(attach());
        CompletableFuture<Void> closed =
                OwnThreads.run(() -> fixture.server.close(Optional.of("column x is gone")));
        String[] cause = {"the job of the run has failed: column x is gone. Fix the cause"};
        assertError(waiting.get(), "failed", cause);
        assertError(raw.call("hello", "{'watch':true}"), "failed", cause);
        closed.join();
    }

    @Test
    void epochsTellsHowLongEpochsAre() throws Exception {
        JsonNode train = raw.call("epochs", "{'stream':'train','from':1,'count':2}").get("epochs");
        assertThat(train.toString())
                .isEqualTo(
                        "[{\"epoch\":1,\"first\":10,\"steps\":10,\"rows\":200,\"version\":\"manifest\"},"
                                + "{\"epoch\":2,\"first\":20,\"steps\":10,\"rows\":200,\"version\":\"manifest\"}]");
        JsonNode eval = raw.call("epochs", "{'stream':'eval','from':0,'count':3}").get("epochs");
        assertThat(eval.findValuesAsText("steps")).containsExactly("10", "12", "12");
        assertThat(eval.findValuesAsText("first")).containsExactly("0", "10", "22");
        assertThat(eval.findValuesAsText("version"))
                .containsExactly("manifest", "larger", "larger");
    }

    @Test
    void epochsOfAnotherLengthAreNotInTheRouting() throws Exception {
        JsonNode streams = raw.call("routing", "{}").get("streams");
        assertThat(streams.path("train").path("steps").asInt()).isEqualTo(TestJob.STEPS);
        assertThat(streams.get("eval").has("steps")).isFalse();
        assertThat(streams.get("eval").has("rows")).isFalse();
    }

    @Test
    void everyFieldOfEpochsIsChecked() throws Exception {
        for (String range :
                List.of(
                        "'from':-1,'count':1",
                        "'from':2147483647,'count':1",
                        "'from':0,'count':0",
                        "'from':0,'count':-5",
                        "'from':0,'count':1025",
                        "'from':0,'count':99999999999",
                        "'from':0",
                        "'count':1")) {
            assertError(raw.call("epochs", "{'stream':'train',%s}", range), "bad-request");
        }
        assertError(raw.call("epochs", "{'stream':'test','from':0,'count':1}"), "unknown-stream");
        JsonNode last = raw.call("epochs", "{'stream':'train','from':2147483646,'count':1024}");
        assertThat(last.get("epochs")).hasSize(1);
        assertThat(last.at("/epochs/0/first").asLong()).isEqualTo(21474836460L);
    }

    @Test
    void registerIsPassedToTheEnumerator() throws Exception {
        fixture.job.answer(
                request -> {
                    Request.Register register = (Request.Register) request;
                    return CompletableFuture.completedFuture(
                            register.rank() == 0
                                    ? new Reply.Registered(7)
                                    : new Reply.Failure(ErrorCode.REFUSED, "rank taken"));
                });
        String rest = "'launch':'t','world':2,'host':'h','instance':'i'";
        assertThat(raw.call("register", "{'rank':0,%s}", rest).get("generation").asInt())
                .isEqualTo(7);
        assertError(raw.call("register", "{'rank':1,%s}", rest), "refused", "rank taken");
    }

    @Test
    void aRankThatWaitsForOthersIsHeld() throws Exception {
        CompletableFuture<Reply.OfRun> answer = new CompletableFuture<>();
        CompletableFuture<Void> asked = new CompletableFuture<>();
        fixture.job.answer(
                request -> {
                    asked.complete(null);
                    return answer;
                });
        CompletableFuture<JsonNode> reply =
                raw.callLater(
                        "register", "{'launch':'t','rank':1,'world':2,'host':'h','instance':'i'}");
        asked.join();
        assertThat(reply).isNotDone();
        answer.complete(new Reply.Registered(2));
        assertThat(reply.join().get("generation").asInt()).isEqualTo(2);
    }

    @Test
    void aRankSaysForHowLongItMayBeHeld() throws Exception {
        for (String more : List.of("", ",'waitMs':30000", ",'waitMs':90000", ",'waitMs':0")) {
            raw.call("register", "{'launch':'t','rank':0,'world':1,'instance':'i'%s}", more);
        }
        assertThat(fixture.job.holds())
                .extracting(Duration::toMillis)
                .containsExactly(5_000L, 30_000L, 60_000L, 1L);
    }

    @Test
    void aHeldCallIsReleasedByItsName() throws Exception {
        CompletableFuture<Void> asked = new CompletableFuture<>();
        fixture.job.answer(
                request -> {
                    asked.complete(null);
                    return new CompletableFuture<>();
                });
        CompletableFuture<JsonNode> reply =
                raw.callLater(
                        "register",
                        "{'launch':'t','rank':1,'world':2,'instance':'i','call':'one'}");
        asked.join();
        assertThat(raw.call("release", "{'call':'another'}")).isEmpty();
        assertThat(reply).isNotDone();

        // The call is registered under its name just after it was passed on.
        while (!reply.isDone()) {
            assertThat(raw.call("release", "{'call':'one'}")).isEmpty();
        }

        assertThat(reply.join().get("pending").asText()).isEqualTo("released by its client");
    }

    @Test
    void aRankThatWaitsForLongIsToldWhy() throws Exception {
        fixture.job.answer(
                request ->
                        CompletableFuture.completedFuture(new Reply.Pending("waiting for rank 0")));
        JsonNode reply =
                raw.call("register", "{'launch':'t','rank':1,'world':2,'host':'h','instance':'i'}");
        assertThat(reply.get("pending").asText()).isEqualTo("waiting for rank 0");
    }

    @Test
    void closeIsPassedToTheEnumeratorAndMayBeRepeated() throws Exception {
        attach();
        CompletableFuture<Request.ToRun> asked = new CompletableFuture<>();
        fixture.job.answer(
                request -> {
                    asked.complete(request);
                    return CompletableFuture.completedFuture(new Reply.Noted());
                });
        assertThat(raw.call("close", "{'generation':1,'rank':0}")).isEmpty();
        assertThat(asked.join()).isEqualTo(new Request.Close(1, 0));
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
        CompletableFuture<Void> closed = OwnThreads.run(() -> fixture.client.close(1, 0));
        asked.join();
        fixture.server.done();
        fixture.server.close();
        closed.join();
    }

    @Test
    void callsThatWaitEndWithTheServer() throws Exception {
        CompletableFuture<JsonNode> get = waitingGet(attach());
        fixture.job.answer(request -> new CompletableFuture<>());
        fixture.server.close();
        assertError(get.join(), "not-here", "stopped");
    }
}
