package io.lockstep.audit;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The name of a file of the archive. It contains the range of steps, so that a reader opens only
 * the files that it needs.
 *
 * @param first the first step
 * @param last the last step, inclusive
 * @param unique unique in the run
 */
record SegmentName(StepKey first, StepKey last, String unique) {

    private static final String ENDING = ".digests";
    private static final Pattern FORM =
            Pattern.compile("(\\d{1,19})\\.(\\d{1,19})-(\\d{1,19})\\.(\\d{1,19})_(.+)\\.digests");

    static SegmentName of(DigestSegment segment, String unique) {
        StepKey first = StepKey.END;
        StepKey last = StepKey.FIRST;
        for (DigestRow row : segment.rows()) {
            first = row.key().isBefore(first) ? row.key() : first;
            last = last.isBefore(row.key()) ? row.key() : last;
        }
        for (Gap gap : segment.gaps()) {
            StepKey from = new StepKey(gap.epoch(), gap.from());
            StepKey to = new StepKey(gap.epoch(), gap.to());
            first = from.isBefore(first) ? from : first;
            last = last.isBefore(to) ? to : last;
        }
        return new SegmentName(first, last, unique);
    }

    /** Parses a file name; empty if it is not the name of a complete file. */
    static Optional<SegmentName> parse(String name) {
        Matcher parts = FORM.matcher(name);
        return parts.matches()
                ? Optional.of(
                        new SegmentName(
                                new StepKey(number(parts, 1), number(parts, 2)),
                                new StepKey(number(parts, 3), number(parts, 4)),
                                parts.group(5)))
                : Optional.empty();
    }

    /** Whether it is the name of a complete file of format 1, which does not contain the steps. */
    static boolean isFormat1(String name) {
        return name.endsWith(ENDING) && !name.startsWith(".");
    }

    private static long number(Matcher parts, int group) {
        return Long.parseLong(parts.group(group));
    }

    @Override
    public String toString() {
        return first.epoch()
                + "."
                + first.step()
                + "-"
                + last.epoch()
                + "."
                + last.step()
                + "_"
                + unique
                + ENDING;
    }
}
