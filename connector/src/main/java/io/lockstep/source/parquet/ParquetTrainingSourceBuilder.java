package io.lockstep.source.parquet;

import io.lockstep.UserException;
import io.lockstep.run.RunDirectory;
import io.lockstep.source.CacheSettings;
import io.lockstep.source.ReaderSettings;
import io.lockstep.source.StreamSpec;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.annotation.PublicEvolving;

/** Builds a {@link ParquetTrainingSource}. */
@PublicEvolving
public final class ParquetTrainingSourceBuilder {

    private final List<StreamSpec> streams = new ArrayList<>();
    private RunDirectory run;
    private CacheSettings cache = CacheSettings.defaults();
    private ReaderSettings reader = ReaderSettings.defaults();

    ParquetTrainingSourceBuilder() {}

    /**
     * Sets the run directory: a local path, or a URI of a file system that Flink supports.
     * Required.
     */
    public ParquetTrainingSourceBuilder runDirectory(String directory) {
        run = new RunDirectory(directory);
        return this;
    }

    /** Adds a stream. At least one is required. */
    public ParquetTrainingSourceBuilder stream(StreamSpec stream) {
        if (streams.stream().anyMatch(other -> other.name().equals(stream.name()))) {
            throw new UserException("two streams are named '" + stream.name() + "'");
        }
        streams.add(stream);
        return this;
    }

    public ParquetTrainingSourceBuilder cache(CacheSettings settings) {
        cache = settings;
        return this;
    }

    public ParquetTrainingSourceBuilder reader(ReaderSettings settings) {
        reader = settings;
        return this;
    }

    public ParquetTrainingSource build() {
        if (run == null) {
            throw new UserException("a training source needs a run directory");
        }
        if (streams.isEmpty()) {
            throw new UserException("a training source needs at least one stream");
        }
        return new ParquetTrainingSource(run, List.copyOf(streams), cache, reader);
    }
}
