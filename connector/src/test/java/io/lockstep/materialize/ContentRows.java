package io.lockstep.materialize;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.batch.Allocators;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;

/** Reads all rows of a content as text. */
final class ContentRows {

    private ContentRows() {}

    /** The rows of all row groups, their values separated by spaces. */
    static List<String> of(Content content) throws IOException {
        List<String> rows = new ArrayList<>();
        try (BufferAllocator allocator = Allocators.root(1 << 24)) {
            for (int group = 0; group < content.dataset().manifest().rowGroups().size(); group++) {
                try (VectorSchemaRoot root = content.read(group, allocator)) {
                    assertThat(root.getSchema()).isEqualTo(content.schema());
                    for (int row = 0; row < root.getRowCount(); row++) {
                        rows.add(text(root, row));
                    }
                }
                // The stored form has room for what the columns became.
                content.pack(group, allocator).close();
            }
        }
        return rows;
    }

    private static String text(VectorSchemaRoot root, int row) {
        return root.getFieldVectors().stream()
                .map(vector -> String.valueOf(vector.getObject(row)))
                .collect(Collectors.joining(" "));
    }
}
