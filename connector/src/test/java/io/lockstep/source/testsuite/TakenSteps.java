package io.lockstep.source.testsuite;

import io.lockstep.source.GroupStep;
import org.apache.flink.api.common.eventtime.Watermark;
import org.apache.flink.api.connector.source.ReaderOutput;
import org.apache.flink.api.connector.source.SourceOutput;
import org.apache.flink.api.java.tuple.Tuple4;

/** Takes steps from a reader, forwards those that the trainer wants, and closes all of them. */
final class TakenSteps implements ReaderOutput<GroupStep> {

    private final ReaderOutput<Tuple4<Integer, Long, Long, String>> output;
    private final SourceOutput<Tuple4<Integer, Long, Long, String>> ofSplit;
    private final LanePuller puller;

    TakenSteps(ReaderOutput<Tuple4<Integer, Long, Long, String>> output, LanePuller puller) {
        this(output, output, puller);
    }

    private TakenSteps(
            ReaderOutput<Tuple4<Integer, Long, Long, String>> output,
            SourceOutput<Tuple4<Integer, Long, Long, String>> ofSplit,
            LanePuller puller) {
        this.output = output;
        this.ofSplit = ofSplit;
        this.puller = puller;
    }

    @Override
    public void collect(GroupStep step) {
        try (step) {
            if (puller.take(step)) {
                ofSplit.collect(LaneRecords.of(step));
            }
        }
        puller.closeIfThrough();
    }

    @Override
    public void collect(GroupStep step, long timestamp) {
        throw new UnsupportedOperationException("steps have no time");
    }

    @Override
    public void emitWatermark(Watermark watermark) {
        ofSplit.emitWatermark(watermark);
    }

    @Override
    public void markIdle() {
        ofSplit.markIdle();
    }

    @Override
    public void markActive() {
        ofSplit.markActive();
    }

    @Override
    public SourceOutput<GroupStep> createOutputForSplit(String split) {
        return new TakenSteps(output, output.createOutputForSplit(split), puller);
    }

    @Override
    public void releaseOutputForSplit(String split) {
        output.releaseOutputForSplit(split);
    }
}
