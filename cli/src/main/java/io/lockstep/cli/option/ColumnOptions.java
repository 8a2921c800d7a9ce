package io.lockstep.cli.option;

import io.lockstep.manifest.PartitionType;
import io.lockstep.manifest.SchemaRules;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Option;

/** The columns of a dataset as options: which ones, and how to read those that differ. */
public final class ColumnOptions {

    @Option(
            names = "--columns",
            split = ColumnNames.SEPARATOR,
            splitSynopsisLabel = ",",
            paramLabel = "NAME",
            description =
                    "The columns of the dataset, in this order; may be repeated. '*' stands for any characters."
                            + " Default: all.")
    private List<String> columns = List.of();

    @Option(
            names = "--partitions",
            paramLabel = "NAME=TYPE",
            description =
                    "The types of columns from folders named NAME=VALUE; may be repeated. Default:"
                            + " int64 if all values are written so, else string.")
    private Map<String, PartitionType> partitions = new LinkedHashMap<>();

    @Option(
            names = "--missing",
            paramLabel = "HOW",
            description =
                    "What to do with a column that some files lack: ${COMPLETION-CANDIDATES}."
                            + " Default: refuse.")
    private MissingColumn missing;

    @Option(
            names = "--widen",
            description =
                    "Read a column whose type differs between files as the widest of its types.")
    private boolean widen;

    /** What to do with a column that some files lack. */
    public enum MissingColumn {
        REFUSE,
        NULL;

        /** Returns the name in lower case, as run files have it. */
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Whether any of them was given. */
    public boolean given() {
        return !columns.isEmpty() || !partitions.isEmpty() || missing != null || widen;
    }

    /** The selected columns; empty for all. */
    public List<String> columns() {
        return columns;
    }

    /** How to read columns that differ between files. */
    public SchemaRules rules() {
        return new SchemaRules(missing == MissingColumn.NULL, widen, partitions);
    }
}
