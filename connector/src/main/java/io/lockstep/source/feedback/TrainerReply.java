package io.lockstep.source.feedback;

import java.io.Serializable;
import javax.annotation.Nullable;

/** The enumerator's answer to a {@link TrainerRequest}. */
public sealed interface TrainerReply extends Serializable {

    /** The rank is now part of this generation. */
    record Registered(long generation) implements TrainerReply {}

    /** The commit is durable; the entry is complete once all ranks have committed. */
    record Committed(boolean complete) implements TrainerReply {}

    /** The commit is not durable and was abandoned. */
    record NotCommitted(String why) implements TrainerReply {}

    /**
     * The newest complete entry of the ledger, or null and 0 in all fields if there is none.
     *
     * @param world the number of ranks that committed it
     * @param state the state that the ranks share, as JSON
     * @param generators the random generator states of the rank with the same number, as JSON; null
     *     if not kept
     */
    record Resumed(long generation, int world, String state, @Nullable String generators)
            implements TrainerReply {}

    /** Pending: another answer to the same request follows. */
    record Awaited(String why) implements TrainerReply {}

    /** Pending: repeat the request. */
    record Pending(String why) implements TrainerReply {}

    /** Acknowledged. */
    record Acknowledged() implements TrainerReply {}

    /**
     * Refused permanently: a repeated request gets the same answer. {@code code} is an error code
     * of the hand-off protocol.
     */
    record Refused(String code, String message) implements TrainerReply {}
}
