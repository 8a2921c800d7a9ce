package io.lockstep.handoff.verbs;

import java.time.Duration;
import javax.annotation.Nullable;

/** How long the server holds a rank that waits for other ranks or for the streams. */
final class HoldLimit {

    /** For a call that names no limit. */
    static final Duration DEFAULT = Duration.ofSeconds(5);

    private static final Duration MAX = Duration.ofMinutes(1);

    private HoldLimit() {}

    /**
     * @param waitMs the call's limit; null for the default
     */
    static Duration of(@Nullable Long waitMs) {
        if (waitMs == null) {
            return DEFAULT;
        }
        return Duration.ofMillis(Math.max(1, Math.min(waitMs, MAX.toMillis())));
    }
}
