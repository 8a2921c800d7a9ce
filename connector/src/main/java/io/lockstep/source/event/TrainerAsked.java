package io.lockstep.source.event;

import io.lockstep.source.feedback.TrainerRequest;
import org.apache.flink.api.connector.source.SourceEvent;

/**
 * Reader to enumerator: a trainer's request.
 *
 * @param id pairs the answer with the request, within one reader
 */
public record TrainerAsked(long id, TrainerRequest request) implements SourceEvent {}
