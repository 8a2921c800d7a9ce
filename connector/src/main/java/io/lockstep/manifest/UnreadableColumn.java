package io.lockstep.manifest;

/**
 * A column that Lockstep cannot read.
 *
 * @param name the column's name
 * @param reason completes the sentence "the column ..."
 * @param file the first file that contains it
 */
public record UnreadableColumn(String name, String reason, String file) {

    /** The beginning of the reason if Lockstep does not support the column's codec. */
    static final String COMPRESSED = "is compressed with ";

    /** Returns what to do about it, as an imperative. */
    String remedy() {
        return reason.startsWith(COMPRESSED)
                ? "write the files anew with zstd, or choose columns without it"
                : "choose columns without it";
    }
}
