package io.lockstep.cli.launcher;

/** Hears how ranks end. Called on any thread; must not block for long. */
public interface RankListener {

    /**
     * A rank has ended with exit code 0.
     *
     * @param launch the launch that it belonged to
     */
    void finished(String launch, int rank);

    /** A launch failed and another one begins. */
    void restarting(Outcome.Failed failed, int restart, int restarts);
}
