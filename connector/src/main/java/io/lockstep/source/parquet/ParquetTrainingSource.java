package io.lockstep.source.parquet;

import io.lockstep.run.RunDirectory;
import io.lockstep.source.CacheSettings;
import io.lockstep.source.GroupStep;
import io.lockstep.source.GroupStepTypeInfo;
import io.lockstep.source.ReaderSettings;
import io.lockstep.source.StreamSpec;
import io.lockstep.source.enumerator.EnumeratorState;
import io.lockstep.source.enumerator.EnumeratorStateSerializer;
import io.lockstep.source.enumerator.TrainingEnumerator;
import io.lockstep.source.reader.TrainingSourceReader;
import io.lockstep.source.split.LaneSplit;
import io.lockstep.source.split.LaneSplitSerializer;
import java.io.IOException;
import java.util.List;
import org.apache.flink.annotation.PublicEvolving;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.connector.source.Boundedness;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.api.connector.source.SupportsSplitReassignmentOnRecovery;
import org.apache.flink.api.java.typeutils.ResultTypeQueryable;
import org.apache.flink.core.io.SimpleVersionedSerializer;

/**
 * A source that reads Parquet datasets as lanes of steps, in an order that is a pure function of
 * the settings.
 *
 * <p>It emits a step when a trainer requests it through the sink chained to it; without that sink
 * it emits nothing. It ends when all trainers have closed the run. It is unbounded, so that
 * checkpoints continue up to the last step. On recovery, all lanes are assigned again.
 *
 * <pre>{@code
 * ParquetTrainingSource source = ParquetTrainingSource.builder()
 *         .runDirectory("/runs/ctr-7")
 *         .stream(new StreamSpec("train", List.of("/data/train"), List.of(), order, 3))
 *         .build();
 * }</pre>
 */
@PublicEvolving
public final class ParquetTrainingSource
        implements Source<GroupStep, LaneSplit, EnumeratorState>,
                SupportsSplitReassignmentOnRecovery,
                ResultTypeQueryable<GroupStep> {

    private static final long serialVersionUID = 1L;

    private final RunDirectory run;
    private final List<StreamSpec> streams;
    private final CacheSettings cache;
    private final ReaderSettings reader;

    ParquetTrainingSource(
            RunDirectory run,
            List<StreamSpec> streams,
            CacheSettings cache,
            ReaderSettings reader) {
        this.run = run;
        this.streams = streams;
        this.cache = cache;
        this.reader = reader;
    }

    public static ParquetTrainingSourceBuilder builder() {
        return new ParquetTrainingSourceBuilder();
    }

    @Override
    public Boundedness getBoundedness() {
        return Boundedness.CONTINUOUS_UNBOUNDED;
    }

    @Override
    public SplitEnumerator<LaneSplit, EnumeratorState> createEnumerator(
            SplitEnumeratorContext<LaneSplit> context) {
        return new TrainingEnumerator(context, run, streams, null);
    }

    @Override
    public SplitEnumerator<LaneSplit, EnumeratorState> restoreEnumerator(
            SplitEnumeratorContext<LaneSplit> context, EnumeratorState checkpoint) {
        return new TrainingEnumerator(context, run, streams, checkpoint);
    }

    @Override
    public SourceReader<GroupStep, LaneSplit> createReader(SourceReaderContext context)
            throws IOException {
        return TrainingSourceReader.create(context, run, streams, cache, reader);
    }

    @Override
    public SimpleVersionedSerializer<LaneSplit> getSplitSerializer() {
        return new LaneSplitSerializer();
    }

    @Override
    public SimpleVersionedSerializer<EnumeratorState> getEnumeratorCheckpointSerializer() {
        return new EnumeratorStateSerializer();
    }

    @Override
    public TypeInformation<GroupStep> getProducedType() {
        return new GroupStepTypeInfo();
    }
}
