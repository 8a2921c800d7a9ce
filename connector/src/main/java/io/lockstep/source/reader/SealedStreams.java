package io.lockstep.source.reader;

import io.lockstep.cache.RowGroupStore;
import io.lockstep.dataset.Dataset;
import io.lockstep.filter.KeptRows;
import io.lockstep.filter.KeptRowsStore;
import io.lockstep.fit.FittedStore;
import io.lockstep.fit.Fitting;
import io.lockstep.manifest.Manifest;
import io.lockstep.manifest.ManifestStore;
import io.lockstep.materialize.Content;
import io.lockstep.materialize.DamageListener;
import io.lockstep.materialize.Decoders;
import io.lockstep.materialize.Materializer;
import io.lockstep.materialize.StoredRowGroups;
import io.lockstep.run.RunDirectory;
import io.lockstep.source.StreamSpec;
import io.lockstep.source.feedback.StreamInfo;
import io.lockstep.transform.TransformChain;
import java.io.IOException;
import java.util.concurrent.Executor;
import javax.annotation.Nullable;

/** Loads the streams of a run as they are sealed in its directory. */
final class SealedStreams {

    private SealedStreams() {}

    /**
     * Loads a stream. Reads the run directory, which may be remote.
     *
     * @param store keeps its row groups
     * @param decoders decode into the store
     * @param pool permutes rows
     * @param damage notified of steps that were gathered from damaged files
     */
    static Materializer load(
            RunDirectory run,
            StreamSpec spec,
            StreamInfo info,
            RowGroupStore store,
            Decoders decoders,
            Executor pool,
            DamageListener damage)
            throws IOException {
        Manifest manifest = new ManifestStore(run.manifests()).load(info.manifest());
        Dataset dataset = Dataset.only(manifest, kept(run, spec, manifest));
        Fitting fitting = spec.fitting(dataset);
        TransformChain chain =
                fitting.chain().fitted(fitting.sealed(new FittedStore(run.manifests())));
        Content content = new Content(dataset, spec.columns(), spec.schema(), chain);
        return new Materializer(
                content,
                content.dataset().order(info.order()),
                info.table(),
                new StoredRowGroups(content, store, decoders),
                pool,
                damage);
    }

    /** The rows that a stream keeps; null if all. */
    @Nullable
    private static KeptRows kept(RunDirectory run, StreamSpec spec, Manifest manifest)
            throws IOException {
        return spec.rows().isAll()
                ? null
                : new KeptRowsStore(run.manifests()).require(manifest, spec.rows());
    }
}
