package io.lockstep.run;

import java.util.UUID;

/**
 * Steps of a lane that may have been served with wrong rows, because a cache file changed while
 * they were gathered from it.
 *
 * @param time when the damage was found, ISO 8601 in UTC
 * @param from the first of these steps of the epoch
 * @param to the last of these steps, inclusive
 * @param cause names the damaged file
 */
public record DamageEntry(
        String time, String stream, int lane, long epoch, long from, long to, String cause) {

    /** A unique name that sorts by time. */
    String fileName() {
        return time.replace(":", "") + "-" + UUID.randomUUID() + ".json";
    }
}
