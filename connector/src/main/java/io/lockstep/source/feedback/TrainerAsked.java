package io.lockstep.source.feedback;

import io.lockstep.protocol.Request;
import org.apache.flink.api.connector.source.SourceEvent;

/**
 * Sink to reader to enumerator: a trainer's question.
 *
 * @param id pairs the answer with the question, within one sink
 */
public record TrainerAsked(long id, Request.ToRun request) implements SourceEvent, ToReader {}
