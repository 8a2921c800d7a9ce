package io.lockstep.source.testsuite;

import io.lockstep.order.OrderSettings;
import io.lockstep.order.Shuffle;
import io.lockstep.order.Tail;
import io.lockstep.source.CacheSettings;
import io.lockstep.source.ReaderSettings;
import io.lockstep.source.StreamSpec;
import io.lockstep.source.enumerator.EnumeratorState;
import io.lockstep.source.parquet.ParquetTrainingSource;
import io.lockstep.source.split.LaneSplit;
import java.nio.file.Path;
import java.util.List;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.connector.source.Boundedness;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.api.connector.source.SupportsSplitReassignmentOnRecovery;
import org.apache.flink.api.java.tuple.Tuple4;
import org.apache.flink.api.java.typeutils.ResultTypeQueryable;
import org.apache.flink.core.io.SimpleVersionedSerializer;

/**
 * A {@link ParquetTrainingSource} whose readers, in place of a chained sink, pull the steps that
 * their {@link Trainer} wants and emit them as records that can leave the task.
 *
 * <p>Everything else is the real source. It is created when the job starts, because its lanes are
 * those written by then.
 *
 * @param bounded whether the trainer closes once it has read all written data
 */
record PullingSource(String directory, boolean bounded)
        implements Source<Tuple4<Integer, Long, Long, String>, LaneSplit, EnumeratorState>,
                SupportsSplitReassignmentOnRecovery,
                ResultTypeQueryable<Tuple4<Integer, Long, Long, String>> {

    private static final int EPOCHS = 2;
    private static final long CACHE_BYTES = 16 << 20;

    /** Less than the steps of one pass, so that readers also have to wait for memory. */
    private static final long STEP_BYTES = 4 << 10;

    static Path data(Path directory) {
        return directory.resolve("data");
    }

    private ParquetTrainingSource source() {
        int lanes = Trainer.of(directory).lanes();
        Path root = Path.of(directory);
        OrderSettings order =
                new OrderSettings(
                        0, lanes, lanes * LaneRecords.ROWS_OF_STEP, 2, Shuffle.NONE, Tail.DROP);
        return ParquetTrainingSource.builder()
                .runDirectory(root.resolve("run").toString())
                .cache(new CacheSettings(root.resolve("cache").toString(), CACHE_BYTES))
                .reader(new ReaderSettings(STEP_BYTES, 1))
                .stream(
                        new StreamSpec(
                                "train", List.of(data(root).toString()), List.of(), order, EPOCHS))
                .build();
    }

    @Override
    public Boundedness getBoundedness() {
        return bounded ? Boundedness.BOUNDED : Boundedness.CONTINUOUS_UNBOUNDED;
    }

    @Override
    public SplitEnumerator<LaneSplit, EnumeratorState> createEnumerator(
            SplitEnumeratorContext<LaneSplit> context) {
        return source().createEnumerator(context);
    }

    @Override
    public SplitEnumerator<LaneSplit, EnumeratorState> restoreEnumerator(
            SplitEnumeratorContext<LaneSplit> context, EnumeratorState checkpoint) {
        return source().restoreEnumerator(context, checkpoint);
    }

    @Override
    public SourceReader<Tuple4<Integer, Long, Long, String>, LaneSplit> createReader(
            SourceReaderContext context) throws Exception {
        return new PullingReader(
                source().createReader(context),
                new LanePuller(context.metricGroup(), Trainer.of(directory), bounded));
    }

    @Override
    public SimpleVersionedSerializer<LaneSplit> getSplitSerializer() {
        return source().getSplitSerializer();
    }

    @Override
    public SimpleVersionedSerializer<EnumeratorState> getEnumeratorCheckpointSerializer() {
        return source().getEnumeratorCheckpointSerializer();
    }

    @Override
    public TypeInformation<Tuple4<Integer, Long, Long, String>> getProducedType() {
        return LaneRecords.TYPE;
    }
}
