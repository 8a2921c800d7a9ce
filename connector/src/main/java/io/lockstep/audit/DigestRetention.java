package io.lockstep.audit;

import java.io.Serializable;
import java.util.Locale;

/**
 * How long the digests of a run are kept.
 *
 * @param epochs of each stream to keep, before the one being served; 0 disables digests
 */
public record DigestRetention(long epochs) implements Serializable {

    /** Keeps all digests forever. */
    public static final DigestRetention KEEP = new DigestRetention(Long.MAX_VALUE);

    /** Disables digests. */
    public static final DigestRetention OFF = new DigestRetention(0);

    /**
     * @throws IllegalArgumentException if epochs is negative
     */
    public DigestRetention {
        if (epochs < 0) {
            throw new IllegalArgumentException(
                    "digests of " + epochs + " epochs cannot be kept: say keep, off or a number");
        }
    }

    /**
     * Parses {@code keep}, {@code off} or a number of epochs.
     *
     * @throws IllegalArgumentException if the text is none of these
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

    /** The first epoch to keep while the given one is being served. */
    long firstKept(long epoch) {
        return Math.max(0, epoch - epochs);
    }

    @Override
    public String toString() {
        return equals(KEEP) ? "keep" : isOn() ? Long.toString(epochs) : "off";
    }
}
