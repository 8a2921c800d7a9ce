package io.lockstep.handoff.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.lockstep.audit.DigestArchive;
import io.lockstep.audit.DigestRetention;
import io.lockstep.audit.DigestRow.Kind;
import io.lockstep.audit.DigestWriter;
import io.lockstep.audit.Evidence;
import io.lockstep.audit.RecordedStep;
import io.lockstep.batch.StepBatch;
import io.lockstep.digest.Digest128;
import io.lockstep.digest.StepDigests;
import io.lockstep.handoff.flight.PortRange;
import io.lockstep.run.RunDirectory;
import io.lockstep.source.split.LaneSplit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HexFormat;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The records of served and consumed steps, over the wire. */
class StepRecordsTest {

    private static final String WHO = "'generation':1,'rank':0,'stream':'train'";
    private static final String DIGESTS =
            "'digests':'000000000000000000000000000000070000000000000000000000000000000f'";

    @TempDir Path directory;
    private DigestWriter digests;
    private HandoffFixture fixture;
    private RawClient raw;
    private DigestArchive archive;

    @BeforeEach
    void start() throws IOException {
        RunDirectory run = new RunDirectory(directory.resolve("run").toString());
        digests = new DigestWriter(run, DigestRetention.KEEP, Duration.ofDays(1));
        archive = new DigestArchive(run);
        fixture =
                new HandoffFixture(
                        Samples.everyType(),
                        5,
                        new HandoffSettings(
                                run.root(),
                                "task-1",
                                HandoffFixture.TOKEN,
                                null,
                                "127.0.0.1",
                                "127.0.0.1",
                                PortRange.any(),
                                Files.createDirectory(directory.resolve("shm")),
                                4),
                        digests);
        raw = new RawClient(fixture.server.uri(), HandoffFixture.TOKEN, fixture.allocator);
    }

    @AfterEach
    void stop() throws IOException {
        raw.close();
        fixture.close();
        digests.close();
    }

    @Test
    void aBatchComesWithTheDigestsOfItsLanesByEitherWay() throws Exception {
        String connection = attach();
        String get = "{%s'generation':1,'rank':0,'stream':'train','lanes':[1,3],%s}";
        String step = "'epoch':0,'step':2,'upTo':3,'waitMs':5000";
        JsonNode slot = raw.call("get", get, "'connection':'" + connection + "',", step);
        JsonNode again = raw.call("get", get, "'connection':'" + connection + "',", step);
        JsonNode stream = raw.stream(get, "", step);
        String want = digest(1, 2).toString() + digest(3, 2);
        assertThat(behindTheBatch(slot)).isEqualTo(want);
        assertThat(again).isEqualTo(slot);
        assertThat(stream.get("digests").asText()).isEqualTo(want);
        assertThat(slot.has("recorded") || stream.has("recorded")).isFalse();
        digests.whenDurable().get();
        RecordedStep recorded = archive.lookup("train", 0, 2).orElseThrow();
        assertThat(recorded.lanes().get(3))
                .containsExactly(new Evidence(Kind.SERVED, 1, 0, digest(3, 2)));
        assertThat(recorded.lanes()).containsOnlyKeys(1, 3);
    }

    @Test
    void receiptsAreRecordedWhenTheyAreInTheRunDirectory() throws Exception {
        assertThat(get(3, receipts("a", 0, 3)).get("recorded").asLong()).isEqualTo(-1);
        digests.whenDurable().get();
        assertThat(get(4, receipts("a", 3, 4)).get("recorded").asLong()).isEqualTo(2);
        JsonNode reply =
                raw.call("consumed", "{%s,'lanes':[1,2],'consumed':%s}", WHO, receipts("a", 4, 5));
        assertThat(reply.get("recorded").asLong()).isEqualTo(4);
        for (int step = 0; step < 5; step++) {
            assertThat(archive.lookup("train", 0, step).orElseThrow().lanes().get(2))
                    .contains(new Evidence(Kind.CONSUMED, 1, 0, new Digest128(0, 15)));
        }
    }

    @Test
    void aReplyThatMayNotWaitSaysHowFarTheRecordIs() throws Exception {
        String verb = "{%s,'lanes':[1,2],'waitMs':0,'consumed':%s}";
        assertThat(raw.call("consumed", verb, WHO, receipts("a", 0, 3)).get("recorded").asLong())
                .isEqualTo(-1);
        digests.whenDurable().get();
        assertThat(raw.call("consumed", verb, WHO, receipts("a", 0, 3)).get("recorded").asLong())
                .isEqualTo(2);
    }

    @Test
    void aRunDirectoryThatTakesNothingIsToldOfAndHoldsNoCallUp() throws Exception {
        Path run = Files.createDirectories(directory.resolve("run"));
        Path blocked = Files.createFile(run.resolve("digests"));
        String verb = "{%s,'lanes':[1,2],'consumed':%s}";
        JsonNode reply = raw.call("consumed", verb, WHO, receipts("a", 0, 1));
        assertThat(reply.get("recorded").asLong()).isEqualTo(-1);
        assertThat(reply.get("warning").asText()).contains(run + "/digests", "make room");
        assertThat(get(3, receipts("a", 1, 2)).get("warning").asText()).contains("make room");
        assertThat(raw.call("stats", "{}").get("warning").asText()).contains("make room");
        Files.delete(blocked);
        digests.whenDurable().get();
        JsonNode again = raw.call("consumed", verb, WHO, receipts("a", 2, 3));
        assertThat(again.get("recorded").asLong()).isEqualTo(2);
        assertThat(again.has("warning")).isFalse();
    }

    @Test
    void receiptsThatComeAgainAreAnsweredAsBefore() throws Exception {
        String verb = "{%s,'lanes':[1,2],'consumed':%s}";
        raw.call("consumed", verb, WHO, receipts("a", 0, 3));
        long rows = digests.settled();
        JsonNode reply = raw.call("consumed", verb, WHO, receipts("a", 0, 3));
        assertThat(reply.get("recorded").asLong()).isEqualTo(2);
        assertThat(digests.settled()).isEqualTo(rows);
        JsonNode nothing = raw.call("consumed", verb, WHO, receipts("other", 0, 0));
        assertThat(nothing.get("recorded").asLong()).isEqualTo(-1);
    }

    /** Steps that a trainer consumed before it was fenced stay recorded. */
    @Test
    void receiptsOfAFencedGenerationCountAsItsOwn() throws Exception {
        fixture.job.generation(2);
        JsonNode reply =
                raw.call("consumed", "{%s,'lanes':[1,2],'consumed':%s}", WHO, receipts("a", 0, 1));
        assertThat(reply.get("recorded").asLong()).isZero();
        assertThat(archive.lookup("train", 0, 0).orElseThrow().lanes().get(1))
                .containsExactly(new Evidence(Kind.CONSUMED, 1, 0, new Digest128(0, 7)));
    }

    @Test
    void aReceiptWithoutADigestForEachLaneIsRefused() throws Exception {
        JsonNode reply =
                raw.call(
                        "consumed",
                        "{%s,'lanes':[1],'consumed':{'session':'a',"
                                + "'steps':[{'number':0,'epoch':0,'step':0,%s}]}}",
                        WHO,
                        DIGESTS);
        assertThat(reply.get("error").get("code").asText()).isEqualTo("bad-request");
        assertThat(reply.get("error").get("message").asText()).contains("one digest for each");
    }

    private static String behindTheBatch(JsonNode slot) throws IOException {
        byte[] memory = Files.readAllBytes(Path.of(slot.get("file").asText()));
        int from = slot.get("offset").asInt() + slot.get("length").asInt();
        return HexFormat.of().formatHex(memory, from, from + slot.get("digests").asInt());
    }

    private String attach() throws Exception {
        return raw.call("attach", "{%s,'transport':'shm'}", WHO).get("connection").asText();
    }

    private JsonNode get(int step, String receipts) throws Exception {
        return raw.stream(
                "{%s,'lanes':[1,2],'epoch':0,'step':%d,'upTo':%d,'waitMs':5000,'consumed':%s}",
                WHO, step, step + 1, receipts);
    }

    private static String receipts(String session, int first, int end) {
        return IntStream.range(first, end)
                .mapToObj(
                        step ->
                                String.format(
                                        "{'number':%d,'epoch':0,'step':%d,%s}",
                                        step, step, DIGESTS))
                .collect(Collectors.joining(",", "{'session':'" + session + "','steps':[", "]}"));
    }

    private Digest128 digest(int lane, long step) {
        try (StepBatch batch = fixture.job.expected(new LaneSplit("train", lane), 0, step)) {
            return StepDigests.lane(batch);
        }
    }
}
