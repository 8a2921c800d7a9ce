package io.lockstep.audit;

import java.util.List;

/**
 * The content of one file of the archive: rows of one stream, and the steps with rows that are
 * missing because they could not be written.
 */
record DigestSegment(String stream, List<DigestRow> rows, List<Gap> gaps) {

    DigestSegment {
        rows = List.copyOf(rows);
        gaps = List.copyOf(gaps);
    }
}
