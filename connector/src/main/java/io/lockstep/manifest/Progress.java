package io.lockstep.manifest;

/** Hears how far planning has come. Called in the planning thread. */
@FunctionalInterface
public interface Progress {

    /** Hears nothing. */
    Progress NONE = (done, total) -> {};

    /**
     * @param done files whose footers have been read
     * @param total files of the dataset
     */
    void footers(int done, int total);

    /** Hears of something that is no fault, and that one would want to know. */
    default void note(String sentence) {}
}
