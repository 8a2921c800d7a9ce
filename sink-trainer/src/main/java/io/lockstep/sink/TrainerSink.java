package io.lockstep.sink;

import io.lockstep.run.RunDirectory;
import io.lockstep.run.RunToken;
import io.lockstep.source.GroupStep;
import io.lockstep.source.JobId;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import org.apache.flink.annotation.PublicEvolving;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.api.connector.sink2.SinkWriter;
import org.apache.flink.api.connector.sink2.StatefulSinkWriter;
import org.apache.flink.api.connector.sink2.SupportsWriterState;
import org.apache.flink.api.connector.sink2.WriterInitContext;
import org.apache.flink.core.io.SimpleVersionedSerializer;

/**
 * Hands steps to the trainers, who pull them by absolute position.
 *
 * <p>Each subtask runs a server for the lanes of the source subtask that it is chained to. The sink
 * commits nothing: a lost step is made again when a trainer requests it. Its only state is the mark
 * by which a drained savepoint is recognized and rejected.
 *
 * <p>It must be chained to a {@link io.lockstep.source.parquet.ParquetTrainingSource}; {@link
 * TrainingJob} makes the whole graph.
 */
@PublicEvolving
public final class TrainerSink
        implements Sink<GroupStep>, SupportsWriterState<GroupStep, DrainMark> {

    private static final long serialVersionUID = 1L;

    private final RunDirectory run;
    private final RunToken token;
    private final SinkSettings settings;

    TrainerSink(RunDirectory run, RunToken token, SinkSettings settings) {
        this.run = run;
        this.token = token;
        this.settings = settings;
    }

    public static TrainerSinkBuilder builder() {
        return new TrainerSinkBuilder();
    }

    @Override
    public SinkWriter<GroupStep> createWriter(WriterInitContext context) throws IOException {
        return create(context, List.of());
    }

    /**
     * @throws io.lockstep.UserException if the savepoint was drained
     */
    @Override
    public StatefulSinkWriter<GroupStep, DrainMark> restoreWriter(
            WriterInitContext context, Collection<DrainMark> marks) throws IOException {
        return create(context, marks);
    }

    private TrainerSinkWriter create(WriterInitContext context, Collection<DrainMark> marks)
            throws IOException {
        try {
            if (!marks.isEmpty()) {
                throw DrainMark.refusal();
            }
            return TrainerSinkWriter.create(context, run, token, settings);
        } catch (IOException | RuntimeException e) {
            run.job().report(JobId.of(context.metricGroup()), e);
            throw e;
        }
    }

    @Override
    public SimpleVersionedSerializer<DrainMark> getWriterStateSerializer() {
        return new DrainMarkSerializer();
    }
}
