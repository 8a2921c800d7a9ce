package io.lockstep.cli.option;

/** How {@code --columns} separates names. */
public final class ColumnNames {

    /** A comma after no backslash, or after an even number of them. */
    public static final String SEPARATOR = "(?<=(?:^|[^\\\\])(?:\\\\\\\\){0,9}),";

    private ColumnNames() {}
}
