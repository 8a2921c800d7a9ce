package io.lockstep.source.feedback;

import java.util.List;

/** Wanted steps of lanes; they replace all earlier wants of these lanes. */
public record Wants(List<Want> wants) implements ToReader {}
