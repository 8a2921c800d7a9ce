package io.lockstep.source.reader;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.order.OrderSettings;
import io.lockstep.order.Shuffle;
import io.lockstep.order.Tail;
import io.lockstep.run.RunDirectory;
import io.lockstep.source.CacheSettings;
import io.lockstep.source.StreamSpec;
import io.lockstep.source.enumerator.StreamSealer;
import io.lockstep.source.feedback.StreamInfo;
import io.lockstep.testing.TestParquet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Row groups are decoded before the readers start, without taking resources from them. */
@Timeout(60)
class HeadStartTest {

    private static final int GROUPS = 8;
    private static final int GROUP_BYTES = 100 * Long.BYTES;

    @TempDir private Path scratch;
    private Path file;
    private StreamSpec spec;
    private RunDirectory run;
    private StreamInfo sealed;

    @BeforeEach
    void sealARunWhoseFirstStepNeedsFewerThanAllRowGroups() throws IOException {
        file = TestParquet.write(scratch.resolve("data/part-0.parquet"), GROUPS * 100);
        OrderSettings order = new OrderSettings(7, 2, 4, 2, Shuffle.LANE, Tail.DROP);
        spec = new StreamSpec("train", List.of(file.toString()), List.of(), order, 1);
        run = new RunDirectory(scratch.resolve("run").toString());
        sealed = new StreamSealer(run, (done, total) -> {}).seal(List.of(spec), Map.of()).get(0);
    }

    @Test
    void decodesTheFirstWindowsIntoTheStoreOfTheReaders() throws IOException {
        CacheSettings cache = cache(1 << 20);
        try (SharedStores.Hold reader = SharedStores.hold(run, cache)) {
            try (HeadStart start = HeadStart.begin(run, spec, sealed, cache)) {
                start.await();
            }

            assertThat(decoded()).isBetween(2L, GROUPS / 2L);
            assertThat(reader.store().usedBytes()).isGreaterThanOrEqualTo(decoded() * GROUP_BYTES);
            // A row group counts as pinned until it was checked.
            while (reader.store().pinnedBytes() > 0) {
                Thread.onSpinWait();
            }
        }
    }

    @Test
    void keepsTheStoreForReadersThatComeLater() throws IOException {
        CacheSettings cache = cache(1 << 20);
        try (HeadStart start = HeadStart.begin(run, spec, sealed, cache)) {
            start.await();
            long used;
            try (SharedStores.Hold reader = SharedStores.hold(run, cache)) {
                used = reader.store().usedBytes();
            }
            assertThat(used).isPositive();
            assertThat(decoded()).isPositive();
        }
        assertThat(decoded()).as("after the last share was given back").isZero();
    }

    @Test
    void endsWhereTheStoreIsFull() throws IOException {
        CacheSettings cache = cache(GROUP_BYTES + GROUP_BYTES / 2);
        try (SharedStores.Hold reader = SharedStores.hold(run, cache);
                HeadStart start = HeadStart.begin(run, spec, sealed, cache)) {
            start.await();

            assertThat(reader.store().usedBytes()).isLessThanOrEqualTo(reader.store().maxBytes());
        }
    }

    @Test
    void leavesFailuresToTheReaders() throws IOException {
        CacheSettings cache = cache(1 << 20);
        Files.delete(file);
        try (SharedStores.Hold reader = SharedStores.hold(run, cache);
                HeadStart start = HeadStart.begin(run, spec, sealed, cache)) {
            start.await();

            assertThat(reader.store().usedBytes()).isZero();
        }
    }

    private CacheSettings cache(long bytes) {
        return new CacheSettings(scratch.resolve("cache").toString(), bytes);
    }

    private long decoded() throws IOException {
        try (Stream<Path> files = Files.walk(scratch.resolve("cache"))) {
            return files.filter(path -> path.toString().endsWith(".arrow")).count();
        }
    }
}
