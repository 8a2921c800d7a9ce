package io.lockstep.materialize;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.batch.Wire;
import io.lockstep.dataset.Dataset;
import io.lockstep.manifest.Manifest;
import io.lockstep.manifest.TestManifests;
import io.lockstep.order.Order;
import io.lockstep.order.OrderSettings;
import io.lockstep.order.Shuffle;
import io.lockstep.order.Tail;
import io.lockstep.transform.TransformChain;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The startup computations of a reader over a million row groups. */
@Timeout(60)
class ManyRowGroupsTest {

    private static final int ROW_GROUPS = 1_000_000;
    private static final int LANES = 64;

    @Test
    void sizesOfAllLanesTakeNoPassOverRowGroupsEach() {
        Manifest manifest = TestManifests.large(ROW_GROUPS, 100, 20);
        Dataset dataset = Dataset.only(manifest);
        Order order = dataset.order(new OrderSettings(7, LANES, 4096, 2, Shuffle.LANE, Tail.DROP));
        Content content = new Content(dataset, List.of(), TransformChain.empty());
        Materializer stream =
                new Materializer(
                        content,
                        order,
                        dataset.epochs(order),
                        new StoredRowGroups(content, null, new Decoders(Runnable::run)),
                        Runnable::run);
        // 20 columns of 8 bytes plus a validity bit, in buffers of multiples of 64 bytes.
        long rowGroup = 20 * (832 + 64);
        assertThat(stream.stepBytes())
                .as("a lane's 64 rows of a step, with their ids and weights")
                .isEqualTo(64 * Wire.ROW_BYTES + rowGroup * 64 / 100);
        for (int repetition = 0; repetition < 10_000; repetition++) {
            assertThat(stream.stepBytes()).isPositive();
        }
        List<Integer> lanes = IntStream.range(0, LANES).boxed().toList();
        assertThat(stream.windowBytes(lanes)).isBetween(LANES * 2 * rowGroup, LANES * 6 * rowGroup);
    }
}
