package io.lockstep.sink;

import io.lockstep.UserException;

/**
 * The writer state in a savepoint of {@code flink stop --drain}: the input ended before the
 * trainers had finished. No job can restore from that. In all other snapshots the writer has no
 * state.
 */
record DrainMark() {

    /** The error for a job that restores from such a savepoint. */
    static UserException refusal() {
        return new UserException(
                "The savepoint that this job starts from was made by 'flink stop --drain', which"
                        + " ended the run's input before its trainers had finished: start the job"
                        + " without it in the same run directory, where it goes on from the last"
                        + " commits, or from a checkpoint or a savepoint of 'flink stop' without"
                        + " --drain.");
    }
}
