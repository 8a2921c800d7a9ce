package io.lockstep.manifest;

import java.util.List;

/** Receives the progress of planning. Called on the planning thread. */
@FunctionalInterface
public interface Progress {

    /** Ignores all progress. */
    Progress NONE = (done, total) -> {};

    /**
     * @param done the number of files whose footers have been read
     * @param total the number of files in the dataset
     */
    void footers(int done, int total);

    /**
     * @param done the number of row groups whose kept rows have been counted
     * @param total the number of row groups in the dataset
     */
    default void rowGroups(int done, int total) {}

    /**
     * @param pass the number of passes over the rows that have ended
     * @param done the number of row groups of this pass of which statistics have been computed
     * @param total the number of row groups in the dataset
     */
    default void statistics(int pass, int done, int total) {}

    /** Receives the paths of files that do not belong to the dataset, and why they do not. */
    default void skipped(List<String> paths, String reason) {}
}
