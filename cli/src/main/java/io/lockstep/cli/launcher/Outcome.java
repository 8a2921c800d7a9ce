package io.lockstep.cli.launcher;

import java.util.List;

/** How the trainers ended. */
public sealed interface Outcome {

    /** All ranks ended with exit code 0. */
    record Finished() implements Outcome {}

    /** They were stopped from outside. */
    record Stopped() implements Outcome {}

    /**
     * A rank ended by itself with another exit code; the others were stopped.
     *
     * @param rank the first that failed
     * @param exitCode above 128 where a signal ended it: 128 and the signal's number
     * @param lastLines of its output; none where all of it was shown as it came
     * @param log where the whole output is
     */
    record Failed(int rank, int exitCode, List<String> lastLines, String log) implements Outcome {

        public Failed {
            lastLines = List.copyOf(lastLines);
        }

        /** One sentence without the lines. */
        public String describe() {
            String how =
                    exitCode > 128
                            ? "was ended by signal " + (exitCode - 128)
                            : "ended with exit code " + exitCode;
            return "rank " + rank + " " + how + "; its output is in " + log;
        }
    }
}
