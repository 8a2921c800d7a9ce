package io.lockstep.manifest;

/**
 * A column that Lockstep does not read.
 *
 * @param name the column
 * @param reason completes the sentence "the column ..."
 * @param file the first file where it was seen
 */
public record UnreadableColumn(String name, String reason, String file) {

    /** How the reason begins where the column's codec is none that Lockstep reads. */
    static final String COMPRESSED = "is compressed with ";

    /** What to do about it, as an imperative. */
    String remedy() {
        return reason.startsWith(COMPRESSED)
                ? "write the files anew with zstd, or choose columns without it"
                : "choose columns without it";
    }
}
