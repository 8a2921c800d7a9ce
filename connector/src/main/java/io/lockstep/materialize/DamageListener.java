package io.lockstep.materialize;

/** Told of steps that may hold wrong rows. Called on any thread; must not block. */
@FunctionalInterface
public interface DamageListener {

    /** Ignores all. */
    DamageListener NONE = steps -> {};

    void damaged(DamagedSteps steps);
}
