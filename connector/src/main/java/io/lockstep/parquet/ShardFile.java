package io.lockstep.parquet;

import io.lockstep.footer.ColumnChunk;
import io.lockstep.footer.FileColumn;
import java.util.List;

/**
 * What reading a shard takes of its footer.
 *
 * @param columns the columns to read, as this file has them
 * @param chunks by row group, the chunks of these columns
 */
record ShardFile(List<FileColumn> columns, List<List<ColumnChunk>> chunks) {}
