package io.lockstep.cli.stats;

import io.lockstep.OrderedTasks;
import io.lockstep.batch.Allocators;
import io.lockstep.manifest.Progress;
import io.lockstep.materialize.Content;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;

/** Summarises the columns of a dataset in one pass over its rows. */
public final class ColumnSummaries {

    private ColumnSummaries() {}

    /**
     * Reads all row groups, several at a time.
     *
     * @param content the rows, without transforms
     */
    public static List<ColumnSummary> of(Content content, Progress progress) throws IOException {
        int rowGroups = content.dataset().manifest().rowGroups().size();
        List<ColumnValues> all =
                content.columns().getFields().stream().map(ColumnValues::new).toList();
        try (BufferAllocator allocator = Allocators.root(Long.MAX_VALUE);
                OrderedTasks tasks = new OrderedTasks("stats", content.readersAtATime())) {
            tasks.run(
                    rowGroups,
                    rowGroup -> read(content, rowGroup, allocator),
                    (rowGroup, values) -> {
                        for (int i = 0; i < values.size(); i++) {
                            all.get(i).add(values.get(i));
                        }
                        progress.statistics(0, rowGroup + 1, rowGroups);
                    });
        }
        return all.stream().map(ColumnValues::summary).toList();
    }

    private static List<ColumnValues> read(Content content, int rowGroup, BufferAllocator allocator)
            throws IOException {
        if (content.dataset().rows(rowGroup) == 0) {
            return List.of();
        }
        List<ColumnValues> values = new ArrayList<>();
        try (VectorSchemaRoot rows = content.read(rowGroup, allocator)) {
            for (FieldVector vector : rows.getFieldVectors()) {
                ColumnValues column = new ColumnValues(vector.getField());
                column.add(vector);
                values.add(column);
            }
        }
        return values;
    }
}
