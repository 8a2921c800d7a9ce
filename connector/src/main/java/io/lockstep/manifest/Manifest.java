package io.lockstep.manifest;

import io.lockstep.UserException;
import io.lockstep.WrongUseException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import javax.annotation.Nullable;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * A snapshot of a dataset: its files and row groups in canonical order, and its columns. Immutable
 * and thread-safe. Created by {@link ManifestPlanner} and stored by {@link ManifestStore}.
 */
public final class Manifest {

    private final String root;
    private final List<Shard> shards;
    private final List<RowGroup> rowGroups;
    private final List<Field> columns;
    private final List<VaryingColumn> varying;
    private final List<UnreadableColumn> unreadable;
    private final Partitions partitions;
    private final DecodedSizes sizes;
    private final String digest;
    private final long[] firstRows;

    /**
     * @param root the directory to which the shards' paths are relative
     * @param columns the readable columns, including the varying ones
     * @param unreadable the other columns
     * @param partitions the keys of folders that are columns
     * @param variableBytes an estimate of the decoded bytes, by row group and variable-size column
     */
    Manifest(
            String root,
            List<Shard> shards,
            List<RowGroup> rowGroups,
            List<Field> columns,
            List<VaryingColumn> varying,
            List<UnreadableColumn> unreadable,
            List<String> partitions,
            long[][] variableBytes) {
        this.root = root;
        this.shards = List.copyOf(shards);
        this.rowGroups = List.copyOf(rowGroups);
        this.columns = List.copyOf(columns);
        this.varying = List.copyOf(varying);
        this.unreadable = List.copyOf(unreadable);
        this.partitions = new Partitions(this.shards, partitions);
        this.sizes = new DecodedSizes(columns, variableBytes);
        this.digest = ManifestDigest.of(shards, rowGroups);
        this.firstRows = firstRows(rowGroups);
    }

    /** The rows before each row group; the last entry is the total. */
    private static long[] firstRows(List<RowGroup> rowGroups) {
        long[] first = new long[rowGroups.size() + 1];
        for (int i = 0; i < rowGroups.size(); i++) {
            first[i + 1] = first[i] + rowGroups.get(i).rows();
        }
        return first;
    }

    /**
     * Returns the digest of the dataset's content, independent of its location: 64 hexadecimal
     * digits.
     */
    public String digest() {
        return digest;
    }

    /** Returns the directory to which the shards' paths are relative. */
    public String root() {
        return root;
    }

    public List<Shard> shards() {
        return shards;
    }

    /** Returns the row groups in canonical order, including empty ones. */
    public List<RowGroup> rowGroups() {
        return rowGroups;
    }

    public long rows() {
        return firstRows[rowGroups.size()];
    }

    /** Returns the number of rows in the row groups before one. */
    public long firstRow(int rowGroup) {
        return firstRows[rowGroup];
    }

    /**
     * Returns the row group that contains a row.
     *
     * @param row from 0 to less than {@link #rows}, in canonical order
     */
    public int rowGroupOf(long row) {
        int found = Arrays.binarySearch(firstRows, row);
        int group = found < 0 ? -found - 2 : found;
        // An empty row group has the same first row as the next one.
        while (rowGroups.get(group).rows() == 0) {
            group++;
        }
        return group;
    }

    /** Returns the number of rows of each row group, in canonical order. */
    public long[] rowGroupRows() {
        return rowGroups.stream().mapToLong(RowGroup::rows).toArray();
    }

    /** Returns the total size of all row groups in the files, in bytes. */
    public long bytes() {
        return rowGroups.stream().mapToLong(RowGroup::bytes).sum();
    }

    /** Returns the columns that have the same type in all files and can be read. */
    public List<Field> columns() {
        return columns(SchemaRules.STRICT);
    }

    /** Returns the columns that can be read with these rules. */
    public List<Field> columns(SchemaRules rules) {
        List<String> refused = unreadable(rules).stream().map(UnreadableColumn::name).toList();
        return readable(rules).stream().filter(f -> !refused.contains(f.getName())).toList();
    }

    /** Returns the columns that cannot be read, or that differ between files. */
    public List<UnreadableColumn> unreadable() {
        return unreadable(SchemaRules.STRICT);
    }

    /** Returns the columns that cannot be read with these rules, or at all. */
    public List<UnreadableColumn> unreadable(SchemaRules rules) {
        List<UnreadableColumn> refused = new ArrayList<>();
        varying.forEach(column -> refused.add(column.refused(rules)));
        if (!rules.fillMissing()) {
            partitions.fields(rules).forEach(field -> refused.add(partitions.refused(field)));
        }
        refused.removeIf(Objects::isNull);
        refused.addAll(unreadable);
        return refused;
    }

    /** The files' columns, then those of the folders. */
    private List<Field> readable(SchemaRules rules) {
        return Stream.concat(columns.stream(), partitions.fields(rules).stream()).toList();
    }

    /**
     * Describes what rules do to a column, in a line for the digest of the content; null if they do
     * nothing.
     */
    @Nullable
    public String reading(Field column) {
        if (isPartition(column)) {
            return "partition " + TypeNames.of(column) + " " + column.getName();
        }
        for (VaryingColumn varied : varying) {
            if (varied.name().equals(column.getName())) {
                return (varied.widened() == null ? "" : "widen ")
                        + (varied.missing() == null ? "" : "fill ")
                        + TypeNames.of(column)
                        + " "
                        + column.getName();
            }
        }
        return null;
    }

    /** Whether the column comes from the names of folders. */
    public boolean isPartition(Field column) {
        return partitions.names().contains(column.getName());
    }

    /** Returns the text of a partition column's value in a file; null if the value is null. */
    @Nullable
    public String partitionText(int shard, Field column) {
        return partitions.text(shard, column.getName());
    }

    /** Returns the value that a partition column has in all rows of a file. */
    @Nullable
    public Object partitionValue(int shard, Field column) {
        return partitions.value(shard, column);
    }

    List<String> partitions() {
        return partitions.names();
    }

    /** Returns all columns that can be read with some rules, in the order of the files. */
    List<Field> allColumns() {
        return columns;
    }

    List<VaryingColumn> varying() {
        return varying;
    }

    /** Returns the columns that no rules can read. */
    List<UnreadableColumn> neverReadable() {
        return unreadable;
    }

    /** Returns the schema of the selected columns, which must not differ between files. */
    public Schema select(List<String> names) {
        return select(names, SchemaRules.STRICT);
    }

    /**
     * Returns the schema of the selected columns, in the given order.
     *
     * @param names the columns as users select them; empty for all columns
     * @throws WrongUseException if a column does not exist or is named twice
     * @throws UserException if a column cannot be read, or differs between files
     */
    public Schema select(List<String> names, SchemaRules rules) {
        List<UnreadableColumn> refused = unreadable(rules);
        List<Field> readable = readable(rules);
        if (names.isEmpty()) {
            if (!refused.isEmpty()) {
                throw refused.get(0).refusal();
            }
            return new Schema(readable);
        }
        List<String> all =
                Stream.concat(
                                readable.stream().map(Field::getName),
                                unreadable.stream().map(UnreadableColumn::name))
                        .toList();
        Map<String, Field> fields = new HashMap<>();
        readable.forEach(field -> fields.put(field.getName(), field));
        Map<String, UnreadableColumn> refusals = new HashMap<>();
        refused.forEach(column -> refusals.put(column.name(), column));
        List<Field> selected = new ArrayList<>();
        for (String name : new ColumnSelection(all, refused, root).names(names)) {
            if (refusals.containsKey(name)) {
                throw refusals.get(name).refusal();
            }
            selected.add(fields.get(name));
        }
        return new Schema(selected);
    }

    /**
     * Estimates the memory that columns of a row group take as Arrow vectors, in bytes. The
     * estimate is exact for fixed-width columns and rather too high for others.
     *
     * @param rowGroup index in {@link #rowGroups}
     * @param names names of existing columns; empty for all readable columns of the files
     */
    public long decodedBytes(int rowGroup, Collection<String> names) {
        RowGroup group = rowGroups.get(rowGroup);
        if (partitions.names().isEmpty()) {
            return sizes.bytes(rowGroup, group.rows(), names);
        }
        List<String> ofFile = new ArrayList<>(names);
        ofFile.removeAll(partitions.names());
        long bytes = ofFile.isEmpty() ? 0 : sizes.bytes(rowGroup, group.rows(), ofFile);
        for (String name : names) {
            if (partitions.names().contains(name)) {
                String text = partitions.text(group.shard(), name);
                bytes += DecodedSizes.ofConstant(text == null ? "" : text, group.rows());
            }
        }
        return bytes;
    }

    long[][] variableBytes() {
        return sizes.variableBytes();
    }
}
