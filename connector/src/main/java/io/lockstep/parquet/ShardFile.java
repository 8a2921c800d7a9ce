package io.lockstep.parquet;

import io.lockstep.footer.ColumnChunk;
import io.lockstep.footer.FileColumn;
import io.lockstep.manifest.FileIdentity;
import java.util.List;

/**
 * The parts of a footer that are needed to read a shard.
 *
 * @param identity the identity of the file with this footer; null if it is not local
 * @param columns the columns to read, as stored in this file; null for those that it lacks
 * @param chunks the chunks of the columns that it has, by row group
 */
record ShardFile(FileIdentity identity, List<FileColumn> columns, List<List<ColumnChunk>> chunks) {}
