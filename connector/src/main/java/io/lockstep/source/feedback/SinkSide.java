package io.lockstep.source.feedback;

/**
 * What a sink is told by the source reader before it. Called on Flink's threads; must not block for
 * long.
 */
public interface SinkSide {

    /** The task's lanes have changed. */
    void assigned(Assignment assignment);

    /** Earlier generations are fenced. */
    void generation(long generation);

    /** The run is done: nothing more will be asked. */
    void done();
}
