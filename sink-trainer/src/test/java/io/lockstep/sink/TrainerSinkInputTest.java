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
 * <p>Every case of it begins with records of a source of its own, which reach the sink through a
 * serialiser; what this sink takes are handles to memory of the task that both share, and they
 * refuse that. And every case but the one for metrics ends with reading back when the job has
 * finished; this sink keeps nothing then, as a step that is lost is made again.
 *
 * <p>What the suite looks for is looked for by trainers that pull while the job runs, in {@link
 * TrainingJobTest}: all records arrive, once each and in order; savepoints with the same, more and
 * fewer writers; and the counters.
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
