package io.lockstep.materialize;

/** Receives steps that may contain wrong rows. Called on any thread; must not block. */
@FunctionalInterface
public interface DamageListener {

    /** A listener that does nothing. */
    DamageListener NONE = steps -> {};

    void damaged(DamagedSteps steps);
}
