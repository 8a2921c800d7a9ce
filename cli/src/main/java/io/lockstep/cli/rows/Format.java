package io.lockstep.cli.rows;

/** Output formats for rows. */
public enum Format {
    /** Columns side by side, for people. */
    TABLE,
    /** One JSON object per row and line. */
    JSON,
    /** An Arrow IPC stream. */
    ARROW
}
