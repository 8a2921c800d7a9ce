package io.lockstep.parquet;

import io.lockstep.footer.ColumnChunk;
import io.lockstep.footer.FileColumn;
import io.lockstep.manifest.FileIdentity;
import java.util.List;

/**
 * What reading a shard takes of its footer.
 *
 * @param identity of the file whose footer that is; null where it is not local
 * @param columns the columns to read, as this file has them
 * @param chunks by row group, the chunks of these columns
 */
record ShardFile(FileIdentity identity, List<FileColumn> columns, List<List<ColumnChunk>> chunks) {}
