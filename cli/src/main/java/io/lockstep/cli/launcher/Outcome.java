package io.lockstep.cli.launcher;

import java.util.List;

/** How the trainers ended. */
public sealed interface Outcome {

    /** All ranks ended with exit code 0. */
    record Finished() implements Outcome {}

    /** They were stopped from outside. */
    record Stopped() implements Outcome {}

    /**
     * A rank exited with another exit code; the others were stopped.
     *
     * @param rank the first rank that failed
     * @param exitCode above 128 if a signal ended it: 128 plus the signal number
     * @param lastLines the end of its output; empty if the output was shown as it was written
     * @param log path of the complete output
     */
    record Failed(int rank, int exitCode, List<String> lastLines, String log) implements Outcome {

        public Failed {
            lastLines = List.copyOf(lastLines);
        }

        /** One sentence without the output lines. */
        public String describe() {
            String how =
                    exitCode > 128
                            ? "was ended by signal " + (exitCode - 128)
                            : "ended with exit code " + exitCode;
            return "rank " + rank + " " + how + "; its output is in " + log;
        }
    }
}
