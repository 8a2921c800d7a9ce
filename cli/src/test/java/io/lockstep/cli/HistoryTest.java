package io.lockstep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lockstep.audit.DigestRow;
import io.lockstep.order.Order;
import io.lockstep.order.OrderSettings;
import io.lockstep.order.Place;
import io.lockstep.order.Shuffle;
import io.lockstep.order.StepPlan;
import io.lockstep.order.Tail;
import io.lockstep.run.RunDirectory;
import java.nio.file.Path;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code locate} in a run directory: where a sample was served. */
class HistoryTest {

    private static final OrderSettings SETTINGS =
            new OrderSettings(7, 4, 32, 2, Shuffle.LANE, Tail.PAD);

    private static final int STEPS = 5;

    @TempDir Path directory;

    private final Order order = new Order(SETTINGS, TestData.ROWS);
    private RunDirectory run;

    @BeforeEach
    void seal() throws Exception {
        TestData.numbers(directory.resolve("data"));
        run =
                SealedRuns.seal(
                        directory.resolve("run"),
                        "  train: {data: data, order: {batch: 32, lanes: 4, window: 2, seed: 7,"
                                + " tail: pad, epochs: 3}}\n");
    }

    @Test
    void everyStepThatServedASampleIsListed() throws Exception {
        long[] all = LongStream.range(0, STEPS).toArray();
        Place first = order.locate(0, 97);
        Place second = order.locate(1, 97);
        for (int rank = 0; rank < 2; rank++) {
            SealedRuns.record(run, DigestRow.Kind.SERVED, 1, rank, 2, 0, all);
            SealedRuns.record(run, DigestRow.Kind.CONSUMED, 1, rank, 2, 0, all);
        }
        SealedRuns.record(run, DigestRow.Kind.SERVED, 3, 0, 1, 1, second.step());

        Cli.Result result = Cli.run("locate", run.root(), "--sample", "97");

        assertThat(result.status()).as(result.err()).isZero();
        assertThat(result.lines())
                .contains(
                        "sample 97 is row 27 of b.parquet (row group 2)",
                        place(first)
                                + ": consumed by rank "
                                + first.lane() / 2
                                + " of generation 1",
                        place(second).replace("epoch 0", "epoch 1")
                                + ": served to rank 0 of generation 3, and not recorded as consumed");
        JsonNode steps =
                new ObjectMapper()
                        .readTree(Cli.run("locate", run.root(), "--sample", "97", "--json").out())
                        .get("steps");
        assertThat(steps.get(0).get("step").asLong()).isEqualTo(first.step());
        assertThat(steps.get(0).at("/consumed/0/generation").asInt()).isEqualTo(1);
    }

    @Test
    void aSampleThatFilledUpAStepIsListedThereToo() throws Exception {
        StepPlan last = order.step(0, STEPS - 1);
        int place = 0;
        while (!last.isPadding(0, place)) {
            place++;
        }
        SealedRuns.record(run, DigestRow.Kind.CONSUMED, 1, 0, 1, 0, STEPS - 1);

        assertThat(Cli.run("locate", run.root(), "--sample", "" + last.sample(0, place)).lines())
                .contains(
                        "epoch 0, step 4, lane 0, place "
                                + place
                                + " (padding): consumed by rank 0 of generation 1");
    }

    @Test
    void whatWasNeverServedIsSaid() {
        Cli.Result result = Cli.run("locate", run.root(), "--sample", "97");

        assertThat(result.status()).isZero();
        assertThat(result.lines()).hasSize(1);
        assertThat(result.err()).contains("the run recorded no step that served this sample");
        assertThat(Cli.run("locate", run.root(), "--sample", "140").status()).isEqualTo(2);
    }

    private static String place(Place place) {
        return "epoch 0, step "
                + place.step()
                + ", lane "
                + place.lane()
                + ", place "
                + place.place();
    }
}
