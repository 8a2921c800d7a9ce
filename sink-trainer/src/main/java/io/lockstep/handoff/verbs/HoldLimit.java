package io.lockstep.handoff.verbs;

import java.time.Duration;
import javax.annotation.Nullable;

/** For how long a rank is held that has to wait for other ranks, or for the streams. */
final class HoldLimit {

    /** Of a call that does not say so itself. */
    static final Duration DEFAULT = Duration.ofSeconds(5);

    private static final Duration MOST = Duration.ofMinutes(1);

    private HoldLimit() {}

    /**
     * @param waitMs as the call says; null for the default
     */
    static Duration of(@Nullable Long waitMs) {
        if (waitMs == null) {
            return DEFAULT;
        }
        return Duration.ofMillis(Math.max(1, Math.min(waitMs, MOST.toMillis())));
    }
}
