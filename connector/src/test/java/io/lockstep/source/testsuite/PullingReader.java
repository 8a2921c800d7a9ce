package io.lockstep.source.testsuite;

import io.lockstep.source.GroupStep;
import io.lockstep.source.split.LaneSplit;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.flink.api.connector.source.ReaderOutput;
import org.apache.flink.api.connector.source.SourceEvent;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.java.tuple.Tuple4;
import org.apache.flink.core.io.InputStatus;

/** The real reader, whose steps are taken by a {@link LanePuller} and emitted as records. */
final class PullingReader implements SourceReader<Tuple4<Integer, Long, Long, String>, LaneSplit> {

    private final SourceReader<GroupStep, LaneSplit> reader;
    private final LanePuller puller;

    PullingReader(SourceReader<GroupStep, LaneSplit> reader, LanePuller puller) {
        this.reader = reader;
        this.puller = puller;
    }

    @Override
    public void start() {
        reader.start();
    }

    @Override
    public InputStatus pollNext(ReaderOutput<Tuple4<Integer, Long, Long, String>> output)
            throws Exception {
        return reader.pollNext(new TakenSteps(output, puller));
    }

    @Override
    public List<LaneSplit> snapshotState(long checkpointId) {
        return reader.snapshotState(checkpointId);
    }

    @Override
    public void notifyCheckpointComplete(long checkpointId) throws Exception {
        reader.notifyCheckpointComplete(checkpointId);
    }

    @Override
    public CompletableFuture<Void> isAvailable() {
        return reader.isAvailable();
    }

    @Override
    public void addSplits(List<LaneSplit> splits) {
        reader.addSplits(splits);
    }

    @Override
    public void notifyNoMoreSplits() {
        reader.notifyNoMoreSplits();
    }

    @Override
    public void handleSourceEvents(SourceEvent event) {
        reader.handleSourceEvents(event);
    }

    @Override
    public void close() throws Exception {
        try (puller) {
            reader.close();
        }
    }
}
