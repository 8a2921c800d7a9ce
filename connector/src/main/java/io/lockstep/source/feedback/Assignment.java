package io.lockstep.source.feedback;

import io.lockstep.source.split.LaneSplit;
import java.util.List;
import java.util.SortedSet;

/**
 * The streams and lanes that a task serves now.
 *
 * @param streams all streams of the run, whether or not this task has lanes of them
 * @param lanes the lanes of this task
 */
public record Assignment(List<StreamInfo> streams, SortedSet<LaneSplit> lanes) implements ToSink {}
