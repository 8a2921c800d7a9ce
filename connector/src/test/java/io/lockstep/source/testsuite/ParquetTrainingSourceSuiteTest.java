package io.lockstep.source.testsuite;

import org.apache.flink.api.java.tuple.Tuple4;
import org.apache.flink.connector.testframe.environment.MiniClusterTestEnvironment;
import org.apache.flink.connector.testframe.external.ExternalContextFactory;
import org.apache.flink.connector.testframe.junit.annotations.TestContext;
import org.apache.flink.connector.testframe.junit.annotations.TestEnv;
import org.apache.flink.connector.testframe.junit.annotations.TestSemantics;
import org.apache.flink.connector.testframe.testsuites.SourceTestSuiteBase;
import org.apache.flink.core.execution.CheckpointingMode;
import org.junit.jupiter.api.Timeout;

/**
 * Runs Flink's complete test suite for sources: one and several splits, an idle reader, metrics,
 * savepoints with the same, more and fewer readers, and the loss of a task manager.
 */
@Timeout(60)
class ParquetTrainingSourceSuiteTest
        extends SourceTestSuiteBase<Tuple4<Integer, Long, Long, String>> {

    @TestSemantics
    @SuppressWarnings("unused") // Flink's extension reads it
    private final CheckpointingMode[] semantics = {CheckpointingMode.EXACTLY_ONCE};

    @TestEnv
    @SuppressWarnings("unused")
    private final MiniClusterTestEnvironment cluster = new MiniClusterTestEnvironment();

    @TestContext
    @SuppressWarnings("unused")
    private final ExternalContextFactory<LaneExternalContext> contexts =
            name -> new LaneExternalContext();
}
