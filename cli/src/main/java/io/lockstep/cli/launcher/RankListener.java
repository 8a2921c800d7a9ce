package io.lockstep.cli.launcher;

/** Is notified when ranks end. Called on any thread; must not block for long. */
public interface RankListener {

    /**
     * A rank has ended with exit code 0.
     *
     * @param launch the rank's launch
     */
    void finished(String launch, int rank);

    /** All processes of a launch have ended with exit code 0. */
    void allFinished(String launch);

    /** A launch failed and the next one starts. */
    void restarting(Outcome.Failed failed, int restart, int restarts);
}
