package io.lockstep.cli.past;

import javax.annotation.Nullable;

/**
 * The first position at which two runs differ.
 *
 * @param place within the lane's part of the step; -1 if unknown
 * @param sample the id in the first run; null if unknown
 * @param column null if the samples differ, or the column is unknown
 * @param first the value in the first run
 * @param second the value in the second run
 * @param why the reason, as text
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

    /** A stream that exists in only one of the runs. */
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
