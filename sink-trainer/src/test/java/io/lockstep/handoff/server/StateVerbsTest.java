package io.lockstep.handoff.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.lockstep.protocol.ErrorCode;
import io.lockstep.protocol.Reply;
import io.lockstep.protocol.Request;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** The verbs for the trainers' states. */
class StateVerbsTest extends ProtocolTestBase {

    private final AtomicReference<Request.ToRun> asked = new AtomicReference<>();

    @Test
    void aStartIsHeldUntilTheOtherRanksHaveSaidTheirs() throws Exception {
        CompletableFuture<Request.ToRun> asked = new CompletableFuture<>();
        CompletableFuture<Reply.OfRun> answer = new CompletableFuture<>();
        fixture.job.answer(
                request -> {
                    asked.complete(request);
                    return answer;
                });
        CompletableFuture<JsonNode> reply =
                raw.callLater("start", "{%s,'round':2,'agreement':{'step':'7'}}", WHO);
        assertThat(asked.get())
                .isEqualTo(
                        new Request.Start(
                                1, 0, "train", 2, new TreeMap<>(Map.of("step", "7")), null, null));
        assertThat(reply).isNotDone();
        answer.complete(new Reply.Noted());
        assertThat(reply.join()).isEmpty();
    }

    @Test
    void aStartThatOthersDoNotShareIsRefusedInTheEnumeratorsWords() throws Exception {
        answer(new Reply.Failure(ErrorCode.REFUSED, "rank 1 has the step 3"));
        assertError(
                raw.call("start", "{%s,'round':1,'agreement':{}}", WHO),
                "refused",
                "rank 1 has the step 3");
    }

    @Test
    void aCommitIsPassedOnAndToldWhetherAllRanksHaveMadeIt() throws Exception {
        answer(new Reply.Committed(true, true, null, null));
        String commit = "{%s,'epoch':1,'step':7,'state':%s,'generators':{'rank':0}}";
        assertThat(raw.call("commit", commit, WHO, "{'step':7}").get("complete").asBoolean())
                .isTrue();
        assertThat(asked.get())
                .isEqualTo(new Request.Commit(1, 0, "train", 1, 7, "{\"step\":7}", "{\"rank\":0}"));
        assertError(raw.call("commit", commit, WHO, "[]"), "bad-request", "JSON object");
    }

    @Test
    void resumeGivesTheNewestStateOrNone() throws Exception {
        answer(new Reply.Resumed(4, 2, "{\"step\":7}", null, null));
        JsonNode found = raw.call("resume", "{%s}", WHO);
        assertThat(found.at("/state/step").asInt()).isEqualTo(7);
        assertThat(found.get("generation").asLong()).isEqualTo(4);
        assertThat(found.get("world").asInt()).isEqualTo(2);
        assertThat(found.hasNonNull("generators")).isFalse();
        answer(new Reply.Resumed(0, 0, null, null, null));
        assertThat(raw.call("resume", "{%s}", WHO).hasNonNull("state")).isFalse();
    }

    @Test
    void aNoteIsWrittenIntoTheRunsLog() throws Exception {
        assertThat(raw.call("note", "{%s,'epoch':1,'step':7,'text':'seed 7 to 8'}", WHO)).isEmpty();
        assertThat(fixture.job.log())
                .singleElement()
                .satisfies(
                        entry -> {
                            assertThat(entry.text()).isEqualTo("seed 7 to 8");
                            assertThat(entry.stream()).isEqualTo("train");
                            assertThat(entry.epoch()).isEqualTo(1);
                            assertThat(entry.step()).isEqualTo(7);
                        });
    }

    @Test
    void aFormerGenerationIsFenced() throws Exception {
        fixture.job.generation(2);
        assertError(raw.call("start", "{%s,'round':1,'agreement':{}}", WHO), "fenced");
        assertError(raw.call("resume", "{%s}", WHO), "fenced");
        String place = "'epoch':0,'step':0";
        assertError(raw.call("commit", "{%s,%s,'state':{}}", WHO, place), "fenced");
        assertError(raw.call("note", "{%s,%s,'text':'x'}", WHO, place), "fenced");
        assertThat(fixture.job.log()).isEmpty();
    }

    /** Sets the enumerator's answer, and records the request. */
    private void answer(Reply.OfRun reply) {
        fixture.job.answer(
                request -> {
                    asked.set(request);
                    return CompletableFuture.completedFuture(reply);
                });
    }
}
