/** The Flink source over Parquet datasets, and its builder. */
package io.lockstep.source.parquet;
