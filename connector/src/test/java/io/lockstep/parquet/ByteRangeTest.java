package io.lockstep.parquet;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.footer.ColumnChunk;
import java.util.List;
import org.apache.parquet.format.CompressionCodec;
import org.junit.jupiter.api.Test;

/** Tests how chunks are combined into ranges. */
class ByteRangeTest {

    private static final long MB = 1 << 20;

    @Test
    void putsNeighboursTogether() {
        List<ByteRange> ranges = ByteRange.of(List.of(chunk(500, 100), chunk(4, 300)));
        assertThat(ranges).containsExactly(new ByteRange(4, 600, List.of(1, 0)));
    }

    @Test
    void leavesOutWhatIsFarFromAll() {
        List<ByteRange> ranges =
                ByteRange.of(List.of(chunk(4, 100), chunk(10 * MB, 100), chunk(10 * MB + 100, 5)));
        assertThat(ranges)
                .containsExactly(
                        new ByteRange(4, 104, List.of(0)),
                        new ByteRange(10 * MB, 10 * MB + 105, List.of(1, 2)));
    }

    @Test
    void keepsRangesSmallButChunksWhole() {
        List<ByteRange> ranges =
                ByteRange.of(
                        List.of(
                                chunk(0, 10 * MB),
                                chunk(10 * MB, 10 * MB),
                                chunk(20 * MB, 99 * MB)));
        assertThat(ranges).extracting(ByteRange::length).containsExactly(10 * MB, 10 * MB, 99 * MB);
    }

    private static ColumnChunk chunk(long begin, long length) {
        return new ColumnChunk(
                CompressionCodec.UNCOMPRESSED, 1, length, length, begin, -1, -1, false);
    }
}
