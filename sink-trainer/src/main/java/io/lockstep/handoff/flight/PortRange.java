package io.lockstep.handoff.flight;

import java.io.Serializable;
import java.util.stream.IntStream;

/**
 * The ports that a server may listen on. Each server of a host takes the first free port of the
 * range.
 *
 * @param first from 1 to 65535; 0, together with last, for any free port
 * @param last not below first
 */
public record PortRange(int first, int last) implements Serializable {

    private static final int MAX = 65535;

    public PortRange {
        boolean any = first == 0 && last == 0;
        if (!any && (first < 1 || last < first || last > MAX)) {
            throw new IllegalArgumentException(
                    "ports go from 1 to " + MAX + ", the lower first, not " + first + "-" + last);
        }
    }

    /** Any free port. */
    public static PortRange any() {
        return new PortRange(0, 0);
    }

    /**
     * Reads {@code 26000} or {@code 26000-26015}.
     *
     * @throws IllegalArgumentException if the text is neither
     */
    public static PortRange parse(String text) {
        String[] ends = text.split("-", 2);
        int first = Integer.parseInt(ends[0].strip());
        int last = ends.length == 1 ? first : Integer.parseInt(ends[1].strip());
        if (first == 0) {
            throw new IllegalArgumentException("0 is no port");
        }
        return new PortRange(first, last);
    }

    /** Whether the system chooses the port. */
    public boolean isAny() {
        return first == 0;
    }

    /** All ports, in the order in which to try them. */
    public IntStream ports() {
        return IntStream.rangeClosed(first, last);
    }

    /** The text that {@link #parse} reads. */
    @Override
    public String toString() {
        return first == last ? Integer.toString(first) : first + "-" + last;
    }
}
