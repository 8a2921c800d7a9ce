package io.lockstep.sink;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.source.GroupStep;
import io.lockstep.source.GroupStepTypeInfo;
import io.lockstep.source.split.LaneGroup;
import java.util.List;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.Test;

/**
 * Why Flink's {@code SinkTestSuiteBase} has no case for {@link TrainerSink}.
 *
 * <p>Each of its cases starts with records from the suite's own source, which reach the sink
 * through a serializer; the records of this sink are handles to memory that source and sink share,
 * and they refuse serialization. And each case but the one for metrics ends by reading back the
 * output when the job has finished; this sink keeps no output, since a lost step is made again.
 *
 * <p>{@link TrainingJobTest} covers the suite's checks with trainers that pull while the job runs:
 * all records arrive, once each and in order; savepoints with the same, more and fewer writers; and
 * the counters.
 */
class TrainerSinkInputTest {

    @Test
    void aHandleCannotComeFromASourceThatIsNotChained() {
        StreamExecutionEnvironment environment =
                StreamExecutionEnvironment.getExecutionEnvironment();
        GroupStep handle =
                new GroupStep(
                        new LaneGroup(1, 0, "train", List.of(0)),
                        0,
                        null,
                        null,
                        null,
                        closed -> {});

        assertThatThrownBy(() -> environment.fromData(List.of(handle), new GroupStepTypeInfo()))
                .hasStackTraceContaining("can only be passed to an operator chained to its source");
    }
}
