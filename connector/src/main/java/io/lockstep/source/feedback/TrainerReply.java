package io.lockstep.source.feedback;

import java.io.Serializable;
import javax.annotation.Nullable;

/** The enumerator's answer to a {@link TrainerRequest}. */
public sealed interface TrainerReply extends Serializable {

    /** The rank belongs to this generation from now on. */
    record Registered(long generation) implements TrainerReply {}

    /** The commit is durable; the entry is complete once all ranks have committed. */
    record Committed(boolean complete) implements TrainerReply {}

    /** The commit is not durable, and was given up. */
    record NotCommitted(String why) implements TrainerReply {}

    /**
     * The newest complete entry of the ledger, or all null and 0 where there is none.
     *
     * @param world the number of ranks that committed it
     * @param state what they had in common, as JSON
     * @param generators the states of the generators of the rank with the asking one's number, as
     *     JSON; null where not kept
     */
    record Resumed(long generation, int world, String state, @Nullable String generators)
            implements TrainerReply {}

    /** Not yet: another answer to the same request follows as soon as there is one. */
    record Awaited(String why) implements TrainerReply {}

    /** Not yet: ask again. */
    record Pending(String why) implements TrainerReply {}

    /** Noted. */
    record Acknowledged() implements TrainerReply {}

    /**
     * Never: asking again gives the same answer. {@code code} is one of the hand-off protocol's.
     */
    record Refused(String code, String message) implements TrainerReply {}
}
