package io.lockstep.source.feedback;

import io.lockstep.protocol.Reply;
import org.apache.flink.api.connector.source.SourceEvent;

/**
 * Enumerator to reader to sink: the answer to the {@link TrainerAsked} of the same id.
 *
 * @param isFinal false while the request waits for other ranks or for the run directory: the reply
 *     is then {@link Reply.Pending}, and another answer follows
 */
public record TrainerAnswered(long id, Reply.OfRun reply, boolean isFinal)
        implements SourceEvent, ToSink {}
