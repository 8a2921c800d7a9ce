package io.lockstep.manifest;

import io.lockstep.UserException;
import javax.annotation.Nullable;

/**
 * A column that cannot be read.
 *
 * @param name the column's name
 * @param type its type; null if Lockstep has no such type
 * @param reason completes the sentence "the column ..."
 * @param file the first file that contains it; null if the files differ, which the reason tells
 * @param setting the option and the key of a stream by which it can be read; null if none can
 */
public record UnreadableColumn(
        String name,
        @Nullable String type,
        String reason,
        @Nullable String file,
        @Nullable String setting) {

    UnreadableColumn(String name, @Nullable String type, String reason, @Nullable String file) {
        this(name, type, reason, file, null);
    }

    /** The beginning of the reason if Lockstep does not support the column's codec. */
    static final String COMPRESSED = "is compressed with ";

    private static final String OTHERS =
            "choose columns without it, by --columns or 'columns' of the stream";

    private static final String IS_A = "is a ";
    private static final String HAS_TYPE = "has type ";

    /** Returns the type for people, such as "struct". */
    public String typeName() {
        if (type != null) {
            return type;
        }
        if (reason.startsWith(IS_A)) {
            return reason.substring(IS_A.length());
        }
        return reason.startsWith(HAS_TYPE) ? reason.substring(HAS_TYPE.length()) : "other";
    }

    /** Whether it has columns in it. */
    boolean isNested() {
        return file != null && reason.startsWith(IS_A);
    }

    /** Returns the message if the column is selected: what is wrong and what to do. */
    UserException refusal() {
        if (file == null) {
            return new UserException(
                    "The column \""
                            + name
                            + "\" "
                            + reason
                            + "; "
                            + OTHERS
                            + ", "
                            + (setting == null ? "" : "read it by " + setting + " of the stream, ")
                            + "or write the files with the same columns.");
        }
        return new UserException(
                "The column \""
                        + name
                        + "\" of "
                        + file
                        + " "
                        + reason
                        + ", which Lockstep does not read; "
                        + (reason.startsWith(COMPRESSED)
                                ? "rewrite the files with zstd, or " + OTHERS
                                : OTHERS)
                        + ".");
    }
}
