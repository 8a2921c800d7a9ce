package io.lockstep.handoff.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.lockstep.source.feedback.Want;
import io.lockstep.source.split.LaneGroup;
import io.lockstep.source.split.LaneSplit;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** The verbs that deliver batches to a rank. */
class BatchVerbsTest extends ProtocolTestBase {

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
        String get = "{%s,'lanes':[0,1,2],%s,'waitMs':50}";
        assertThat(raw.stream(get, WHO, FIRST_STEP).get("pending").asText())
                .contains("lanes 0, 1, 2", "'train'", "epoch 0, step 0");
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
        CompletableFuture<JsonNode> first = waitingGet(attach());
        String again = "{%s,'lanes':[0,1],'epoch':0,'step':1,'upTo':2,'waitMs':1}";
        assertThat(raw.stream(again, WHO).get("pending").asText()).contains("to be made");
        assertThat(first.join().get("pending").asText()).contains("superseded");
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
        assertError(raw.stream(late, WHO, Long.MAX_VALUE), "bad-request", "no epoch 92");
        assertError(raw.stream(get, WHO, "[0]", 10), "bad-request", "step 10", "0 to 9");
        assertError(raw.stream(get, WHO, "[0]", -1), "bad-request", "step -1");
        assertError(raw.stream(get, WHO, "[1,0]", 0), "bad-request", "ascending");
        assertError(raw.stream(get, WHO, "[]", 0), "bad-request", "lanes");
        assertError(raw.stream(get, WHO, "[4]", 0), "bad-request", "0 to 3");
    }

    @Test
    void lanesThatMovedAreNotHere() throws Exception {
        CompletableFuture<JsonNode> waiting = waitingGet(attach());
        fixture.job.assign(1);
        assertError(waiting.join(), "not-here", "[1]", "routing");
        assertError(
                raw.stream("{%s,'lanes':[0,3],%s}", WHO, FIRST_STEP), "not-here", "[3]", "train");
    }

    @Test
    void aFormerGenerationIsFenced() throws Exception {
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
        LaneGroup group = new LaneGroup(1, 0, "train", List.of(0, 2));
        // The stream has 2 epochs.
        assertThat(fixture.job.wanted(lane)).isEqualTo(new Want(group, 13, 20));
        raw.call("want", "{%s,'lanes':[0,2],'epoch':5,'from':3,'upTo':99}", WHO);
        assertThat(fixture.job.wanted(lane)).isEqualTo(new Want(group, 53, 60));
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
    void wantsAndStepsFollowTheLengthOfTheirEpoch() throws Exception {
        String who = "'generation':1,'rank':0,'stream':'eval'";
        LaneSplit lane = new LaneSplit("eval", 0);
        LaneGroup group = new LaneGroup(1, 0, "eval", List.of(0));
        // Epoch 0 has 10 steps, epoch 1 has 12, and the run ends there.
        raw.call("want", "{%s,'lanes':[0],'epoch':0,'from':10,'upTo':99}", who);
        assertThat(fixture.job.wanted(lane)).isEqualTo(new Want(group, 10, 22));
        String get = "{%s,'lanes':[0],'epoch':%d,'step':%d,'upTo':%d,'waitMs':5000}";
        assertThat(raw.stream(get, who, 1, 11, 12).get("rows").asInt()).isEqualTo(5);
        assertThat(fixture.job.wanted(lane)).isEqualTo(new Want(group, 22, 22));
        assertError(raw.stream(get, who, 0, 10, 11), "bad-request", "0 to 9");
        assertError(raw.stream(get, who, 1, 12, 13), "bad-request", "0 to 11");
        assertThat(raw.stream(get, who, 2, 0, 3).get("rows").asInt()).isEqualTo(5);
        assertThat(fixture.job.wanted(lane)).isEqualTo(new Want(group, 23, 25));
    }

    @Test
    void detachEndsTheWantsOfAStream() throws Exception {
        String connection = attach();
        String get = "{'connection':'%s',%s,'lanes':[0],'epoch':0,'step':0,'upTo':9}";
        raw.call("get", get, connection, WHO);
        assertThat(raw.call("detach", "{%s,'connection':'%s'}", WHO, connection)).isEmpty();
        assertThat(fixture.job.wanted(new LaneSplit("train", 0))).isNull();
        assertThat(fixture.client.stats().connections()).isZero();
        assertThat(fixture.client.stats().held()).isZero();
    }
}
