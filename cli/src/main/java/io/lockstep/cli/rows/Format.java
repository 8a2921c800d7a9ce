package io.lockstep.cli.rows;

/** How rows are written. */
public enum Format {
    /** Columns side by side, for people. */
    TABLE,
    /** One JSON object a row and line. */
    JSON,
    /** An Arrow IPC stream. */
    ARROW
}
