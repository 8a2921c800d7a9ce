package io.lockstep.source.feedback;

import java.io.Serializable;

/** The enumerator's answer to a {@link TrainerRequest}. */
public sealed interface TrainerReply extends Serializable {

    /** The rank belongs to this generation from now on. */
    record Registered(long generation) implements TrainerReply {}

    /** Not yet: ask again. */
    record Pending(String why) implements TrainerReply {}

    /** Noted. */
    record Acknowledged() implements TrainerReply {}

    /**
     * Never: asking again gives the same answer. {@code code} is one of the hand-off protocol's.
     */
    record Refused(String code, String message) implements TrainerReply {}
}
