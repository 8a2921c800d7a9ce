package io.lockstep.cli.past;

import javax.annotation.Nullable;

/**
 * The first place at which two runs do not give the same.
 *
 * @param place within the lane's part of the step; -1 where it is not known
 * @param sample the id in the first run; null where it is not known
 * @param column null where it is the sample that differs, or the column is not known
 * @param first what the first run has there
 * @param second what the second run has there
 * @param why in words
 */
record Difference(
        String stream,
        long epoch,
        long step,
        int lane,
        int place,
        @Nullable Long sample,
        @Nullable String column,
        String first,
        String second,
        String why) {

    /** A stream that only one of the runs has. */
    static Difference absent(String stream, boolean inFirst) {
        String something = "the stream";
        String nothing = "no such stream";
        return new Difference(
                stream,
                0,
                0,
                0,
                -1,
                null,
                null,
                inFirst ? something : nothing,
                inFirst ? nothing : something,
                "only one of the runs has it");
    }

    String sentence() {
        StringBuilder text = new StringBuilder("first difference: ");
        text.append(stream).append(" epoch ").append(epoch).append(", step ").append(step);
        text.append(", lane ").append(lane);
        if (place >= 0) {
            text.append(", place ").append(place);
        }
        if (sample != null) {
            text.append(", sample ").append(sample);
        }
        if (column != null) {
            text.append(", column ").append(column);
        }
        text.append(": ").append(first).append(" in the first run, ");
        return text.append(second).append(" in the second").toString();
    }
}
