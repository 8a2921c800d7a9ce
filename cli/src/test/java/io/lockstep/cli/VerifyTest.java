package io.lockstep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lockstep.audit.DigestRetention;
import io.lockstep.audit.DigestRow;
import io.lockstep.audit.DigestWriter;
import io.lockstep.audit.LostRecords;
import io.lockstep.digest.Digest128;
import io.lockstep.order.Order;
import io.lockstep.order.OrderSettings;
import io.lockstep.order.Place;
import io.lockstep.order.Shuffle;
import io.lockstep.order.StepPlan;
import io.lockstep.order.Tail;
import io.lockstep.run.DamageEntry;
import io.lockstep.run.RunDirectory;
import io.lockstep.testing.TestPython;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code verify}. */
class VerifyTest {

    private static final String TRAIN =
            "  train: {data: data, order: {batch: 12, lanes: 4, window: 2, seed: 7}}\n";

    private static final OrderSettings SETTINGS =
            new OrderSettings(7, 4, 12, 2, Shuffle.LANE, Tail.DROP);

    /** All steps of an epoch. */
    private static final long[] STEPS = LongStream.range(0, 11).toArray();

    @TempDir Path directory;

    private RunDirectory first;

    @BeforeEach
    void writeFirst() throws Exception {
        TestData.numbers(directory.resolve("data"));
        first = SealedRuns.seal(directory.resolve("first"), TRAIN);
        SealedRuns.record(first, DigestRow.Kind.CONSUMED, 1, 0, 1, 0, STEPS);
    }

    @Test
    void runsOfTheSameAreTheSameWhoeverConsumedThem() throws Exception {
        RunDirectory second = SealedRuns.seal(directory.resolve("second"), TRAIN);
        SealedRuns.record(second, DigestRow.Kind.SERVED, 1, 0, 2, 0, 0, 1, 2);
        SealedRuns.record(second, DigestRow.Kind.CONSUMED, 2, 1, 2, 0, 0, 1, 2);

        Cli.Result result = verify(second);

        assertThat(result.status()).as(result.err()).isZero();
        assertThat(result.lines())
                .containsExactly(
                        "same order and same content: the digests of all 12 lanes of steps that both"
                                + " runs recorded agree",
                        "only the first run recorded train epoch 0, steps 3 to 10");
        JsonNode json = new ObjectMapper().readTree(verify(second, "--json").out());
        assertThat(json.get("same").asBoolean()).isTrue();
        assertThat(json.get("lanesCompared").asInt()).isEqualTo(12);
        assertThat(json.at("/onlyInFirst/0/lastStep").asInt()).isEqualTo(10);
    }

    @Test
    void namesStepsThatWereServedFromADamagedCacheFile() throws Exception {
        RunDirectory second = SealedRuns.seal(directory.resolve("second"), TRAIN);
        SealedRuns.record(second, DigestRow.Kind.CONSUMED, 1, 0, 1, 0, STEPS);
        second.writeDamage(
                new DamageEntry(
                        "2026-01-02T03:04:05Z", "train", 2, 0, 3, 5, "/nvme/x.arrow has 7 bytes"));

        Cli.Result result = verify(second);

        assertThat(result.status()).isEqualTo(1);
        assertThat(result.lines().get(0))
                .isEqualTo(
                        "the second run may have served wrong rows of lane 2 in train epoch 0, steps 3"
                                + " to 5: the cache file /nvme/x.arrow has 7 bytes");
        JsonNode json = new ObjectMapper().readTree(verify(second, "--json").out());
        assertThat(json.get("same").asBoolean()).isFalse();
        assertThat(json.get("damagedInFirst")).isEmpty();
        assertThat(json.at("/damagedInSecond/0/from").asInt()).isEqualTo(3);
    }

    @Test
    void anotherSettingIsNamedBeforeTheFirstSampleThatDiffers() throws Exception {
        RunDirectory second =
                SealedRuns.seal(directory.resolve("second"), TRAIN.replace("seed: 7", "seed: 8"));
        StepPlan ours = new Order(SETTINGS, TestData.ROWS).step(0, 0);

        Cli.Result result = verify(second);

        assertThat(result.status()).isEqualTo(1);
        assertThat(result.lines().get(0))
                .isEqualTo("streams.train.order.seed is 7 in the first run and 8 in the second");
        assertThat(result.lines().get(1))
                .startsWith(
                        "first difference: train epoch 0, step 0, lane 0, place 0: sample "
                                + ours.sample(0, 0)
                                + " in the first run, sample ");
    }

    @Test
    void aValueThatDiffersIsFound() throws Exception {
        Path other = directory.resolve("other");
        TestData.numbers(other);
        TestPython.run(
                """
                import sys, pyarrow as pa, pyarrow.parquet as pq
                table = pq.read_table(sys.argv[1])
                names = table["name"].to_pylist()
                names[17] = "changed"
                pq.write_table(table.set_column(2, "name", pa.array(names)), sys.argv[1])
                """,
                other.resolve("c.parquet").toString());
        RunDirectory second =
                SealedRuns.seal(
                        directory.resolve("second"), TRAIN.replace("data: data", "data: other"));
        SealedRuns.record(second, DigestRow.Kind.CONSUMED, 1, 0, 1, 0, STEPS);
        Place place = new Order(SETTINGS, TestData.ROWS).locate(0, 117);

        Cli.Result result = verify(second);

        assertThat(result.status()).isEqualTo(1);
        assertThat(result.lines().get(0)).startsWith("file c.parquet is c.parquet of ");
        assertThat(result.lines().get(1))
                .isEqualTo(
                        "first difference: train epoch 0, step "
                                + place.step()
                                + ", lane "
                                + place.lane()
                                + ", place "
                                + place.place()
                                + ", sample 117, column name: n117 in the first run, changed in the"
                                + " second");
        JsonNode found =
                new ObjectMapper().readTree(verify(second, "--json").out()).get("difference");
        assertThat(found.get("sample").asLong()).isEqualTo(117);
        assertThat(found.get("column").asText()).isEqualTo("name");
    }

    @Test
    void aColumnThatOneRunDoesNotHaveIsFound() throws Exception {
        RunDirectory second =
                SealedRuns.seal(
                        directory.resolve("second"),
                        TRAIN.replace(
                                "data: data",
                                "data: data, columns: [id, x], schema: {widen: true}"));
        SealedRuns.record(second, DigestRow.Kind.CONSUMED, 1, 0, 1, 0, STEPS);

        assertThat(verify(second).out())
                .contains("streams.train.columns is all in the first run and id,x in the second")
                .contains("streams.train.schema.widen is false in the first run and true in the")
                .contains("column name: n")
                .contains(" in the first run, no such column in the second");
    }

    @Test
    void whatWasServedAndIsNotMadeAgainIsToldApart() throws Exception {
        RunDirectory second = SealedRuns.seal(directory.resolve("second"), TRAIN);
        serveSomethingElse(second);

        Cli.Result result = verify(second);

        assertThat(result.status()).isEqualTo(1);
        assertThat(result.out())
                .contains("first difference: train epoch 0, step 4, lane 2: digest ")
                .contains(
                        "why: what the second run served is not what the sealed manifests give now");
    }

    /** The other run has no record of that step. */
    @Test
    void aConsumedDigestThatWasNotServedIsADifference() throws Exception {
        RunDirectory second = SealedRuns.seal(directory.resolve("second"), TRAIN);
        SealedRuns.record(second, DigestRow.Kind.SERVED, 1, 0, 1, 0, 0, 1, 2);
        SealedRuns.record(second, DigestRow.Kind.CONSUMED, 1, 0, 1, 0, 0, 1, 2);
        assertThat(verify(second).status()).isZero();
        record(second, DigestRow.Kind.CONSUMED, 1, 4, 2);

        Cli.Result result = verify(second);

        assertThat(result.status()).isEqualTo(1);
        assertThat(result.out())
                .contains("first difference: train epoch 1, step 4, lane 2: ")
                .contains(new Digest128(1, 2) + " consumed but not served in the second")
                .contains("why: in the second run, trainers reported what no server gave them");
    }

    @Test
    void lostRecordsAreGapsThatHaveToBeAllowed() throws Exception {
        RunDirectory second = SealedRuns.seal(directory.resolve("second"), TRAIN);
        SealedRuns.record(second, DigestRow.Kind.SERVED, 1, 0, 1, 0, 0, 1, 2);
        assertThat(verify(second).status()).isZero();
        LostRecords.write(second, "train", 0, 3, 7);

        Cli.Result result = verify(second, "--json");

        assertThat(result.status()).isEqualTo(1);
        JsonNode json = new ObjectMapper().readTree(result.out());
        assertThat(json.get("same").asBoolean()).isTrue();
        assertThat(json.get("gaps"))
                .singleElement()
                .hasToString(
                        "{\"run\":\"second\",\"stream\":\"train\",\"epoch\":0,\"from\":3,\"to\":7}");
        assertThat(verify(second).lines().get(0))
                .isEqualTo("the second run lost records of train epoch 0, steps 3 to 7");
        assertThat(verify(second, "--allow-gaps").status()).isZero();
        Cli.Result status = Cli.run("status", second.root(), "--json");
        assertThat(new ObjectMapper().readTree(status.out()).get("proof"))
                .hasToString("{\"recorded\":3,\"lost\":5,\"warning\":null}");
    }

    @Test
    void stepsBetweenTwoLaunchesWithoutARecordAreGaps() throws Exception {
        RunDirectory second = SealedRuns.seal(directory.resolve("second"), TRAIN);
        SealedRuns.record(second, DigestRow.Kind.CONSUMED, 1, 0, 1, 0, 0, 1, 2);
        // A machine failed; the next launch had a state of step 5.
        SealedRuns.record(second, DigestRow.Kind.CONSUMED, 2, 0, 1, 0, 5, 6);

        Cli.Result result = verify(second);

        assertThat(result.status()).isEqualTo(1);
        assertThat(result.lines().get(0))
                .isEqualTo("the second run lost records of train epoch 0, steps 3 to 4");
        // A later launch went back: every step of the training is recorded.
        SealedRuns.record(second, DigestRow.Kind.CONSUMED, 3, 0, 1, 0, 3, 4, 5);
        assertThat(verify(second).status()).isZero();
    }

    @Test
    void batchesThatCannotBeMadeAgainAreToldOf() throws Exception {
        RunDirectory second = SealedRuns.seal(directory.resolve("second"), TRAIN);
        serveSomethingElse(second);
        for (String file : List.of("a/one", "b", "c")) {
            TestPython.run(
                    """
                    import sys, pyarrow.parquet as pq
                    pq.write_table(pq.read_table(sys.argv[1]), sys.argv[1], row_group_size=7)
                    """,
                    directory.resolve("data/" + file + ".parquet").toString());
        }

        assertThat(verify(second).out())
                .contains("lane 2: digest ")
                .contains("why: the batches cannot be made again to compare them: ");
    }

    @Test
    void aStreamThatOneRunDoesNotHaveIsADifference() throws Exception {
        RunDirectory second =
                SealedRuns.seal(
                        directory.resolve("second"),
                        TRAIN + "  eval: {data: data, order: {batch: 48, lanes: 4}}\n");
        SealedRuns.record(second, DigestRow.Kind.CONSUMED, 1, 0, 1, 0, STEPS);

        Cli.Result result = verify(second);

        assertThat(result.status()).isEqualTo(1);
        assertThat(result.out()).contains("eval", "no such stream in the first run");
    }

    @Test
    void runsWithoutACommonRecordCannotBeCompared() throws Exception {
        RunDirectory second = SealedRuns.seal(directory.resolve("second"), TRAIN);

        Cli.Result result = verify(second);

        assertThat(result.status()).isEqualTo(1);
        assertThat(result.err()).contains("no step was recorded by both runs");
    }

    @Test
    void aDirectoryWithoutARunIsWrongUse() {
        Cli.Result result = Cli.run("verify", first.root(), directory.resolve("data").toString());

        assertThat(result.status()).isEqualTo(2);
        assertThat(result.err()).contains("data is no run directory");
    }

    /** In step 4, lane 2. */
    private static void serveSomethingElse(RunDirectory run) throws IOException {
        record(run, DigestRow.Kind.SERVED, 0, 4, 2);
    }

    /** A digest that differs from the data's. */
    private static void record(
            RunDirectory run, DigestRow.Kind kind, long epoch, long step, int lane)
            throws IOException {
        try (DigestWriter writer = DigestWriter.open(run, DigestRetention.KEEP)) {
            writer.add(
                    new DigestRow(
                            kind,
                            "train",
                            1,
                            0,
                            epoch,
                            step,
                            List.of(lane),
                            List.of(new Digest128(1, 2))));
        }
    }

    private Cli.Result verify(RunDirectory second, String... more) {
        return Cli.run(
                Stream.concat(Stream.of("verify", first.root(), second.root()), Stream.of(more))
                        .toArray(String[]::new));
    }
}
