package io.lockstep.sink;

import io.lockstep.UserException;

/**
 * What a writer leaves in a savepoint of {@code flink stop --drain}: its input was ended before the
 * trainers had finished. No job goes on from that. In any other snapshot a writer leaves nothing.
 */
record DrainMark() {

    /** What a job is told that is to go on from such a savepoint. */
    static UserException refusal() {
        return new UserException(
                "The savepoint that this job starts from was made by 'flink stop --drain', which"
                        + " ended the run's input before its trainers had finished: start the job"
                        + " without it in the same run directory, where it goes on from the last"
                        + " commits, or from a checkpoint or a savepoint of 'flink stop' without"
                        + " --drain.");
    }
}
