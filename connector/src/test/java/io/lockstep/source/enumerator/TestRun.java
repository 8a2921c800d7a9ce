package io.lockstep.source.enumerator;

import io.lockstep.order.OrderSettings;
import io.lockstep.order.Shuffle;
import io.lockstep.order.Tail;
import io.lockstep.run.RunDirectory;
import io.lockstep.source.StreamSpec;
import io.lockstep.testing.TestParquet;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** A run directory, and the one stream "train" of its run: 5 steps of 12 samples. */
record TestRun(RunDirectory directory, StreamSpec stream) {

    static TestRun in(Path folder, int lanes) throws IOException {
        Path data = folder.resolve("data");
        TestParquet.write(data.resolve("part-0.parquet"), 60);
        return new TestRun(
                new RunDirectory(folder.resolve("run").toString()),
                new StreamSpec(
                        "train",
                        List.of(data.toString()),
                        List.of(),
                        new OrderSettings(7, lanes, 12, 2, Shuffle.LANE, Tail.DROP),
                        1));
    }

    /** Starts its enumerator, from a checkpoint if there is one. */
    SimulatedReaders start(int readers, EnumeratorState restored) {
        return SimulatedReaders.start(
                readers,
                context ->
                        new TrainingEnumerator(
                                context,
                                directory,
                                List.of(stream),
                                restored,
                                new DirectExecutor()));
    }
}
