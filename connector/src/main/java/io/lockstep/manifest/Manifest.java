package io.lockstep.manifest;

import io.lockstep.Nearest;
import io.lockstep.UserException;
import io.lockstep.WrongUseException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * A dataset at one moment: its files and row groups in canonical order, and its columns. Immutable
 * and thread-safe. Made by {@link ManifestPlanner}, kept by {@link ManifestStore}.
 */
public final class Manifest {

    private final String root;
    private final List<Shard> shards;
    private final List<RowGroup> rowGroups;
    private final List<Field> columns;
    private final List<UnreadableColumn> unreadable;
    private final DecodedSizes sizes;
    private final String digest;
    private final long rows;

    /**
     * @param root what the shards' paths are relative to
     * @param columns those that can be read
     * @param unreadable the others
     * @param variableBytes by row group and column of variable size, an estimate of its decoded
     *     bytes
     */
    Manifest(
            String root,
            List<Shard> shards,
            List<RowGroup> rowGroups,
            List<Field> columns,
            List<UnreadableColumn> unreadable,
            long[][] variableBytes) {
        this.root = root;
        this.shards = List.copyOf(shards);
        this.rowGroups = List.copyOf(rowGroups);
        this.columns = List.copyOf(columns);
        this.unreadable = List.copyOf(unreadable);
        this.sizes = new DecodedSizes(columns, variableBytes);
        this.digest = ManifestDigest.of(shards, rowGroups);
        this.rows = rowGroups.stream().mapToLong(RowGroup::rows).sum();
    }

    /** What identifies the dataset's content, wherever it lies: 64 hexadecimal digits. */
    public String digest() {
        return digest;
    }

    /** The directory that the shards' paths are relative to. */
    public String root() {
        return root;
    }

    public List<Shard> shards() {
        return shards;
    }

    /** In canonical order, those without rows among them. */
    public List<RowGroup> rowGroups() {
        return rowGroups;
    }

    public long rows() {
        return rows;
    }

    /** The rows of each row group, in canonical order. */
    public long[] rowGroupRows() {
        return rowGroups.stream().mapToLong(RowGroup::rows).toArray();
    }

    /** The bytes of all row groups as they lie in the files. */
    public long bytes() {
        return rowGroups.stream().mapToLong(RowGroup::bytes).sum();
    }

    /** The columns that can be read, in the order of the first file. */
    public List<Field> columns() {
        return columns;
    }

    /** The columns that can be read, as a schema. */
    public Schema arrowSchema() {
        return new Schema(columns);
    }

    /** The columns that cannot be read. */
    public List<UnreadableColumn> unreadable() {
        return unreadable;
    }

    /**
     * The schema of the columns asked for, in that order.
     *
     * @param names of the columns; empty for all
     * @throws WrongUseException where one does not exist or is named twice
     * @throws UserException where one cannot be read
     */
    public Schema select(List<String> names) {
        if (names.isEmpty()) {
            if (!unreadable.isEmpty()) {
                throw refusal(unreadable.get(0));
            }
            return arrowSchema();
        }
        List<Field> fields = new ArrayList<>(names.size());
        Set<String> seen = new HashSet<>();
        for (String column : names) {
            if (!seen.add(column)) {
                throw new WrongUseException(
                        "Column \"" + column + "\" is asked for twice; name it once.");
            }
            fields.add(field(column));
        }
        return new Schema(fields);
    }

    /**
     * An estimate of the memory that columns of a row group take as Arrow vectors, in bytes. It is
     * exact for columns of fixed width; for others it errs to the high side.
     *
     * @param rowGroup index in {@link #rowGroups}
     * @param names of columns that exist; empty for all that can be read
     */
    public long decodedBytes(int rowGroup, Collection<String> names) {
        return sizes.bytes(rowGroup, rowGroups.get(rowGroup).rows(), names);
    }

    long[][] variableBytes() {
        return sizes.variableBytes();
    }

    private Field field(String name) {
        for (UnreadableColumn column : unreadable) {
            if (column.name().equals(name)) {
                throw refusal(column);
            }
        }
        List<String> names = new ArrayList<>();
        for (Field field : columns) {
            if (field.getName().equals(name)) {
                return field;
            }
            names.add(field.getName());
        }
        throw new NoSuchColumnException(
                "There is no column \""
                        + name
                        + "\" in "
                        + root
                        + "."
                        + Nearest.suggestion(name, names)
                        + " Its columns are "
                        + Names.some(names)
                        + ".");
    }

    private static UserException refusal(UnreadableColumn column) {
        return new UserException(
                "The column \""
                        + column.name()
                        + "\" of "
                        + column.file()
                        + " "
                        + column.reason()
                        + ", which Lockstep does not read; "
                        + column.remedy()
                        + ".");
    }
}
