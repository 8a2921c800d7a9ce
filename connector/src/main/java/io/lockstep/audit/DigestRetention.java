package io.lockstep.audit;

import java.io.Serializable;
import java.util.Locale;

/**
 * How long the digests of a run are kept.
 *
 * @param epochs of each stream, before the one that is being served; 0 for none, which also means
 *     that none are made
 */
public record DigestRetention(long epochs) implements Serializable {

    /** All of them, for good. */
    public static final DigestRetention KEEP = new DigestRetention(Long.MAX_VALUE);

    /** No digests are made. */
    public static final DigestRetention OFF = new DigestRetention(0);

    /**
     * @throws IllegalArgumentException for fewer than 0 epochs
     */
    public DigestRetention {
        if (epochs < 0) {
            throw new IllegalArgumentException(
                    "digests of " + epochs + " epochs cannot be kept: say keep, off or a number");
        }
    }

    /**
     * Reads {@code keep}, {@code off} or a number of epochs.
     *
     * @throws IllegalArgumentException where it is none of these
     */
    public static DigestRetention parse(String text) {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "keep" -> KEEP;
            case "off" -> OFF;
            default -> new DigestRetention(Long.parseLong(text));
        };
    }

    /** Whether digests are made at all. */
    public boolean isOn() {
        return epochs > 0;
    }

    /** The first epoch to be kept while one is being served. */
    long firstKept(long epoch) {
        return Math.max(0, epoch - epochs);
    }

    @Override
    public String toString() {
        return equals(KEEP) ? "keep" : isOn() ? Long.toString(epochs) : "off";
    }
}
