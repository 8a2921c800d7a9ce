package io.lockstep.audit;

import io.lockstep.run.RunDirectory;
import java.io.IOException;
import java.util.List;

/** Writes gaps to an archive, like a writer that had no space for the records. */
public final class LostRecords {

    private LostRecords() {}

    /** Writes that the records of these steps, both ends inclusive, were lost. */
    public static void write(RunDirectory run, String stream, long epoch, long from, long to)
            throws IOException {
        Gap gap = new Gap(stream, epoch, from, to);
        new DigestFiles(run).write(new DigestSegment(stream, List.of(), List.of(gap)), "lost-1-1");
    }
}
