package io.lockstep.source.feedback;

import java.util.concurrent.CompletableFuture;

/**
 * What a source reader does for the sink behind it. Called on the hand-off server's threads; never
 * blocks.
 */
public interface ReaderSide {

    /** Makes the wanted steps ahead of use, within the reader's budget. */
    void want(Want want);

    /** Drops the wants of a generation. */
    void forget(long generation);

    /** Asks the enumerator. */
    CompletableFuture<TrainerReply> ask(TrainerRequest request);
}
