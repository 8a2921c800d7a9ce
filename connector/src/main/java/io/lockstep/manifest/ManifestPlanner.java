package io.lockstep.manifest;

import io.lockstep.UserException;
import io.lockstep.footer.ColumnChunk;
import io.lockstep.footer.FileColumn;
import io.lockstep.footer.FileRowGroup;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.arrow.vector.types.pojo.Field;

/** Creates a manifest of the current content of a file system. */
public final class ManifestPlanner {

    private static final String SKIPPED =
            "its name does not end in .parquet, .parq or .pq, as names of other files do";

    private final FileListing listing;
    private final List<PlannedFile> files;

    private ManifestPlanner(FileListing listing, List<PlannedFile> files) {
        this.listing = listing;
        this.files = files;
    }

    /**
     * Lists the files of a dataset and reads all footers.
     *
     * @param data one or more directories (including everything below them, except names that begin
     *     with {@code _} or {@code .}), patterns or files; relative paths are resolved against the
     *     working directory
     * @throws UserException if there are no files, no Parquet files or no rows
     */
    public static Manifest plan(List<String> data, Progress progress) throws IOException {
        FileListing listing = FileListing.of(data);
        if (!listing.skipped().isEmpty()) {
            progress.skipped(
                    listing.skipped().stream().map(file -> file.path().toString()).toList(),
                    SKIPPED);
        }
        FooterCollector collector = new FooterCollector(listing.root().getFileSystem());
        return new ManifestPlanner(listing, collector.collect(listing.files(), progress))
                .manifest();
    }

    private Manifest manifest() {
        SchemaMerger merger = SchemaMerger.merge(files);
        leaveOutChunks(merger);
        List<Field> columns = merger.columns();
        List<Field> variable = DecodedSizes.variable(columns);
        List<Shard> shards = new ArrayList<>(files.size());
        List<RowGroup> rowGroups = new ArrayList<>();
        List<long[]> sizes = new ArrayList<>();
        for (PlannedFile file : files) {
            List<FileColumn> sized = columns(file, variable);
            int ordinal = 0;
            for (FileRowGroup group : file.rowGroups()) {
                rowGroups.add(
                        new RowGroup(
                                shards.size(), ordinal++, group.rows(), group.compressedBytes()));
                sizes.add(sizes(variable, sized, group));
            }
            shards.add(shard(file));
        }
        Manifest manifest =
                new Manifest(
                        listing.root().toString(),
                        shards,
                        rowGroups,
                        columns,
                        merger.varying(),
                        merger.unreadable(),
                        partitions(merger, shards),
                        sizes.toArray(long[][]::new));
        if (manifest.rows() == 0) {
            throw new UserException(
                    "No file of the dataset below "
                            + listing.root()
                            + " has a row; name files with rows.");
        }
        return manifest;
    }

    /** The keys of folders, except where the files have a column of that name. */
    private static List<String> partitions(SchemaMerger merger, List<Shard> shards) {
        List<String> keys = new ArrayList<>(Partitions.keys(shards));
        merger.columns().forEach(column -> keys.remove(column.getName()));
        merger.unreadable().forEach(column -> keys.remove(column.name()));
        return keys;
    }

    private Shard shard(PlannedFile planned) {
        FoundFile file = planned.file();
        return new Shard(
                listing.relative(file),
                file.path().toString(),
                file.length(),
                file.modificationTime(),
                planned.footerSha256(),
                planned.tail(),
                planned.identity());
    }

    private static List<FileColumn> columns(PlannedFile file, List<Field> fields) {
        Map<String, FileColumn> byName = new HashMap<>();
        file.schema().columns().forEach(c -> byName.put(c.name(), c));
        return fields.stream().map(f -> byName.get(f.getName())).toList();
    }

    private static long[] sizes(List<Field> fields, List<FileColumn> columns, FileRowGroup group) {
        long[] sizes = new long[columns.size()];
        for (int i = 0; i < sizes.length; i++) {
            FileColumn column = columns.get(i);
            sizes[i] =
                    column == null
                            ? DecodedSizes.ofNulls(fields.get(i), group.rows())
                            : DecodedSizes.estimate(
                                    column, group.chunks().get(column.leaf()), group.rows());
        }
        return sizes;
    }

    /** Excludes columns with a chunk whose compression or storage Lockstep does not support. */
    private void leaveOutChunks(SchemaMerger merger) {
        for (PlannedFile file : files) {
            for (FileRowGroup group : file.rowGroups()) {
                for (FileColumn column : file.schema().columns()) {
                    String reason = reason(group.chunks().get(column.leaf()));
                    if (reason != null) {
                        merger.leaveOut(column, reason, file);
                    }
                }
            }
        }
    }

    private static String reason(ColumnChunk chunk) {
        if (chunk.inOtherFile()) {
            return "is encrypted or kept in another file";
        }
        return switch (chunk.codec()) {
            case UNCOMPRESSED, SNAPPY, GZIP, ZSTD -> null;
            default -> UnreadableColumn.COMPRESSED + chunk.codec();
        };
    }
}
