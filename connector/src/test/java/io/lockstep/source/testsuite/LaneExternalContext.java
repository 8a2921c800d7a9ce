package io.lockstep.source.testsuite;

import io.lockstep.testing.TestParquet;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.connector.source.Boundedness;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.api.java.tuple.Tuple4;
import org.apache.flink.connector.testframe.external.ExternalSystemSplitDataWriter;
import org.apache.flink.connector.testframe.external.source.DataStreamSourceExternalContext;
import org.apache.flink.connector.testframe.external.source.TestingSourceSettings;
import org.apache.flink.util.FileUtils;

/**
 * Maps the suite's terms to those of a training run. A split is a lane. The lanes of an unshuffled
 * stream are equal parts of the dataset, so each file is a lane. The first write to a split creates
 * that file. The dataset is sealed with the run, so later writes to the split are the trainers'
 * next passes over it.
 */
final class LaneExternalContext
        implements DataStreamSourceExternalContext<Tuple4<Integer, Long, Long, String>> {

    private final Path directory;
    private final Trainer trainer;
    private final Map<Integer, long[]> rowsOfLanes = new TreeMap<>();
    private final Map<Integer, Long> passes = new TreeMap<>();

    LaneExternalContext() {
        try {
            directory = Files.createTempDirectory("lockstep-suite-");
        } catch (IOException e) {
            throw new UncheckedIOException("cannot make a directory for the suite's run", e);
        }
        trainer = new Trainer(directory.toString());
    }

    @Override
    public Source<Tuple4<Integer, Long, Long, String>, ?, ?> createSource(
            TestingSourceSettings settings) {
        return new PullingSource(
                directory.toString(), settings.getBoundedness() == Boundedness.BOUNDED);
    }

    @Override
    public List<Tuple4<Integer, Long, Long, String>> generateTestData(
            TestingSourceSettings settings, int split, long seed) {
        long[] rows =
                rowsOfLanes.computeIfAbsent(
                        split,
                        absent -> new Random(seed).longs(LaneRecords.ROWS_OF_LANE).toArray());
        long epoch = passes.merge(split, 1L, Long::sum) - 1;
        return LaneRecords.pass(split, epoch, rows);
    }

    @Override
    public ExternalSystemSplitDataWriter<Tuple4<Integer, Long, Long, String>>
            createSourceSplitDataWriter(TestingSourceSettings settings) {
        return new ExternalSystemSplitDataWriter<>() {

            @Override
            public void writeRecords(List<Tuple4<Integer, Long, Long, String>> records) {
                int lane = records.get(0).f0;
                if (records.get(0).f1 == 0) {
                    writeFile(lane);
                }
                trainer.mayPassOver(lane);
            }

            @Override
            public void close() {
                // Every write is complete.
            }
        };
    }

    private void writeFile(int lane) {
        long[] rows = rowsOfLanes.get(lane);
        try {
            TestParquet.write(
                    PullingSource.data(directory).resolve("part-" + lane + ".parquet"),
                    "message m { required int64 " + LaneRecords.COLUMN + "; }",
                    rows.length,
                    (row, i) -> row.add(LaneRecords.COLUMN, rows[i]));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write the dataset of the suite", e);
        }
    }

    @Override
    public TypeInformation<Tuple4<Integer, Long, Long, String>> getProducedType() {
        return LaneRecords.TYPE;
    }

    @Override
    public List<URL> getConnectorJarPaths() {
        return List.of();
    }

    @Override
    public void close() throws IOException {
        trainer.close();
        FileUtils.deleteDirectory(directory.toFile());
    }

    @Override
    public String toString() {
        return "lanes of a training run";
    }
}
