package io.lockstep.filter;

import io.lockstep.manifest.Manifest;
import io.lockstep.manifest.SchemaRules;
import io.lockstep.parquet.RowGroupReader;
import java.io.IOException;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;

/** Finds the kept rows of row groups by reading the columns that this needs. Thread-safe. */
public final class KeptRowsReader {

    private final Manifest manifest;
    private final RowFilter filter;
    private final RowGroupReader reader;

    /**
     * @throws io.lockstep.UserException if the selection does not fit the columns
     */
    public KeptRowsReader(RowSelection selection, Manifest manifest, SchemaRules rules) {
        this.manifest = manifest;
        this.filter = new RowFilter(selection, manifest, rules);
        this.reader =
                filter.columns().isEmpty()
                        ? null
                        : new RowGroupReader(manifest, filter.columns(), rules);
    }

    /**
     * Returns the kept rows of a row group, ascending.
     *
     * @throws io.lockstep.UserException if the file has changed or is damaged
     * @throws IOException if it cannot be reached
     */
    public int[] read(int rowGroup, BufferAllocator allocator) throws IOException {
        int rows = Math.toIntExact(manifest.rowGroups().get(rowGroup).rows());
        if (rows == 0) {
            return new int[0];
        }
        try (VectorSchemaRoot root =
                reader == null
                        ? new VectorSchemaRoot(List.of(), List.of(), rows)
                        : reader.read(rowGroup, allocator)) {
            return filter.kept(rowGroup, root, allocator);
        }
    }
}
