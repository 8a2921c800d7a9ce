package io.lockstep.cli.data;

import com.fasterxml.jackson.core.JsonGenerator;
import io.lockstep.dataset.Dataset;
import io.lockstep.manifest.Manifest;
import io.lockstep.manifest.RowGroup;
import java.io.IOException;

/**
 * The row of the dataset that a sample refers to.
 *
 * @param file path relative to the dataset's root
 * @param rowGroup within the file
 * @param row within the file
 */
public record SampleRow(long sample, String file, int rowGroup, long row) {

    /**
     * @param sample which the dataset has
     */
    public static SampleRow of(Dataset dataset, long sample) {
        Manifest manifest = dataset.manifest();
        long row = sample - dataset.firstSample();
        int index = manifest.rowGroupOf(row);
        RowGroup group = manifest.rowGroups().get(index);
        return new SampleRow(
                sample,
                manifest.shards().get(group.shard()).path(),
                group.ordinal(),
                row - manifest.firstRow(index) + dataset.rowsBefore(index));
    }

    /** Writes its fields into the current object. */
    public void write(JsonGenerator out) throws IOException {
        out.writeNumberField("sample", sample);
        out.writeStringField("file", file);
        out.writeNumberField("rowGroup", rowGroup);
        out.writeNumberField("row", row);
    }

    public String sentence() {
        return "sample "
                + sample
                + " is row "
                + row
                + " of "
                + file
                + " (row group "
                + rowGroup
                + ")";
    }
}
