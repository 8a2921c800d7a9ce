package io.lockstep.source.feedback;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * What a source reader does for the sink behind it. Called on the hand-off server's threads; never
 * blocks.
 */
public interface ReaderSide {

    /** Makes the wanted steps ahead of use, within the reader's budget; a lane has one want. */
    void want(List<Want> wants);

    /**
     * Asks the enumerator.
     *
     * @param hold for how long a rank may be kept that has to wait for others
     */
    CompletableFuture<TrainerReply> ask(TrainerRequest request, Duration hold);
}
